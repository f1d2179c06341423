import {actionDialog} from './dialog.js';
import {element} from './dom.js';
import {number} from './format.js';
import {replayResult} from './replay-result.js';
import {change, json, may} from './session.js';

const PATIENCE_MILLIS = 180_000;
const INPUTS = ['above', 'share', 'beyond', 'others', 'spike', 'floor', 'baseline', 'whenOthersSlow'];

/** @param {any} when the conditions of a lock @returns {{holder: any, name: string}[]} where its thresholds are */
function thresholds(when) {
  return (Array.isArray(when) ? when : [when ?? {}]).flatMap((condition) => condition.all
    ? thresholds(condition.all) : INPUTS.filter((name) => condition[name] !== undefined).map((name) => ({holder: condition, name})));
}

/**
 * Tries changed thresholds of a policy on the last hour of the request log. Nothing takes effect.
 *
 * @param {any} set the policy set in force
 * @param {string} name of a policy that locks
 */
export function trialCard(set, name) {
  const wrong = element('p', {class: 'wrong lines', role: 'alert'});
  const progress = element('p', {class: 'hint', role: 'status'});
  const send = element('button', {type: 'submit', class: 'primary'}, 'Try on the last hour');
  const result = element('div', {class: 'view'});
  const changed = structuredClone(set);
  const policy = changed.policies.find((one) => one.name === name);
  const places = [...thresholds(policy.lock.when), ...policy.window === undefined ? [] : [{holder: policy, name: 'window'}]];
  const inputs = places.map(({holder, name: field}, i) => element('input', {id: `trial-${i}`, value: String(holder[field]), size: 12, 'data-field': field}));
  /** @type {ReturnType<typeof replayResult>|null} */
  let shown = null;
  let closed = false;

  async function submit(event) {
    event.preventDefault();
    wrong.textContent = '';
    places.forEach(({holder, name: field}, i) => {
      const text = inputs[i].value.trim();
      holder[field] = text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    });
    send.disabled = true;
    progress.textContent = 'Reading the request log…';
    try {
      const report = await change('/policies/trial?minutes=60', {method: 'POST', ...json(changed), signal: AbortSignal.timeout(PATIENCE_MILLIS)});
      if (closed) {
        return;
      }
      shown?.close();
      shown = replayResult(report);
      result.replaceChildren(next(structuredClone(changed), set.revision), shown.element);
      shown.draw();
      progress.textContent = `Tried on the last ${number(report.minutes)} min: ${number(report.locks.length)} locks of all policies.`;
    } catch (error) {
      progress.textContent = '';
      wrong.textContent = `Not tried: ${error.message}`;
    } finally {
      send.disabled = false;
    }
  }

  return {
    element: element('section', {class: 'card'}, element('h2', {}, `Try other thresholds of ${name}`),
      element('p', {class: 'hint'}, 'Replays the requests of the last hour, at most a million, with windows that begin empty. Nothing takes effect.'),
      element('form', {onsubmit: submit}, element('div', {class: 'row'},
        ...inputs.map((input, i) => element('div', {}, element('label', {for: input.id}, places[i].name), input)), send),
      progress, wrong), result),
    close() {
      closed = true;
      shown?.close();
    },
  };
}

/** What can be done with a set that was tried: apply it, or take it away. */
function next(set, revision) {
  if (may('policies')) {
    return element('p', {class: 'row'}, element('button', {type: 'button', onclick: () => apply(set, revision)}, 'Apply the tried policies…'));
  }
  return element('p', {class: 'row'}, element('button', {type: 'button', onclick() {
    const address = URL.createObjectURL(new Blob([JSON.stringify(set, null, 2)], {type: 'application/json'}));
    element('a', {href: address, download: 'policies.json'}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }}, 'Download the tried policies'), element('span', {class: 'hint'}, 'To apply them: ./sluice policies apply policies.json'));
}

function apply(set, revision) {
  actionDialog({
    id: 'apply',
    title: 'Apply the tried policies',
    hint: `They replace revision ${revision} in all analyzers and gateways. Where another set was applied meanwhile, nothing is changed. The change is recorded.`,
    button: 'Apply',
    failed: 'Not applied',
    send: (by) => {
      const request = json(set);
      return change(`/policies?${new URLSearchParams(by)}`, {method: 'PUT', ...request, headers: {...request.headers, 'If-Match': `"${revision}"`}});
    },
  });
}
