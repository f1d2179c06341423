import {ask, lockPath} from './api.js';
import {actionDialog} from './dialog.js';
import {element} from './dom.js';
import {subjectText} from './format.js';
import {change, json} from './session.js';

const SPANS = [['600000', '10 minutes'], ['3600000', '1 hour'], ['86400000', '1 day'], ['604800000', '7 days']];

/** @param {{policy: string, subject: string[]}} lock */
export function release(lock) {
  actionDialog({
    id: 'release',
    title: `Release ${subjectText(lock.subject)}`,
    hint: `Agents admit it again at once, and ${lock.policy} does not lock it for ten minutes. The release is recorded.`,
    button: 'Release',
    failed: 'Not released',
    send: (by) => change(`${lockPath(lock.policy, lock.subject)}?${new URLSearchParams(by)}`, {method: 'DELETE'}),
  });
}

/** @param {string} id @param {string} label @param {string[][]} options @returns {{node: HTMLElement, value: () => string}} */
function choice(id, label, options) {
  const select = element('select', {id}, ...options.map(([value, text]) => element('option', {value}, text)));
  return {node: element('div', {}, element('label', {for: id}, label), select), value: () => select.value, select};
}

/**
 * Adds a lock.
 *
 * @param {string[]} subject filled in where the policy counts it: of the policy that is named, else a caller
 * @param {string} [named] the policy to begin with
 */
export async function addLock(subject = [], named = '') {
  const set = await ask('/policies').catch(() => ({policies: []}));
  const per = String(set.policies.find((one) => one.name === named)?.per ?? ['caller']);
  const counts = (one) => String(one.per) === per;
  const policy = choice('lock-policy', 'Policy', set.policies.map((one) => [one.name, one.name]));
  const values = element('div');
  const mode = choice('lock-mode', 'Effect', [['block', 'reject all requests'], ['throttle', 'admit a rate'], ['shadow', 'report only']]);
  const rate = element('input', {id: 'lock-rate', type: 'number', min: 0.001, step: 'any', value: 1});
  const rateBox = element('div', {hidden: true}, element('label', {for: rate.id}, 'Requests per second, all gateways together'), rate);
  const span = choice('lock-span', 'Time', SPANS);
  const inputs = () => [...values.querySelectorAll('input')];
  const attributes = () => {
    const chosen = set.policies.find((one) => one.name === policy.value());
    const filled = chosen !== undefined && counts(chosen) && subject.length === chosen.per.length;
    values.replaceChildren(...(chosen?.per ?? []).map((name, i) => element('div', {}, element('label', {for: `lock-value-${i}`}, String(name)),
      element('input', {id: `lock-value-${i}`, required: true, value: filled ? subject[i] : ''}))));
  };
  policy.select.addEventListener('change', attributes);
  mode.select.addEventListener('change', () => {
    rateBox.hidden = mode.value() !== 'throttle';
  });
  const first = set.policies.find((one) => one.name === named) ?? (subject.length > 0 ? set.policies.find(counts) : undefined);
  if (first) {
    policy.select.value = first.name;
  }
  span.select.value = '3600000';
  attributes();
  actionDialog({
    id: 'lock',
    title: 'Add a lock',
    hint: 'All gateways follow it within milliseconds. It ends by itself. It is recorded.',
    button: 'Lock',
    failed: 'Not locked',
    fields: [policy.node, values, mode.node, rateBox, span.node],
    send: (by) => change(lockPath(policy.value(), inputs().map((input) => input.value)), {method: 'POST', ...json({
      mode: mode.value(), ttlMillis: Number(span.value()), ...by, ...mode.value() === 'throttle' ? {rate: Number(rate.value)} : {},
    })}),
  });
}

/** The kill switch. @param {boolean} enforce @param {string} [agent] only this agent */
export function enforcement(enforce, agent) {
  const span = choice('enforce-span', 'Time', [['0', 'until it is switched on'], ...SPANS]);
  actionDialog({
    id: 'enforce',
    title: `Switch rejection ${enforce ? 'on' : 'off'}${agent ? ` at agent ${agent}` : ' everywhere'}`,
    hint: enforce ? 'Gateways reject locked callers again.' : 'Gateways admit every request, locked callers too. Counting goes on.',
    button: enforce ? 'Switch on' : 'Switch off',
    failed: 'Not switched',
    fields: enforce ? [] : [span.node],
    send: (by) => change('/enforcement', {method: 'POST', ...json({
      enforce, ...by, ...agent ? {agent} : {}, ...!enforce && span.value() !== '0' ? {ttlMillis: Number(span.value())} : {},
    })}),
  });
}
