import {ask} from './api.js';
import {element, empty, keyed, table} from './dom.js';
import {amount, number, percent} from './format.js';
import {callerLink} from './locks.js';
import {missingByReason} from './now.js';

/** Windows of hundreds of subjects are read for an answer. */
const EVERY_MILLIS = 5_000;
const LISTED = 10;
const BUSIEST = 5;

const range = (i) => i === 10 ? 'over 100 %' : `${i * 10}–${i * 10 + 10} %`;

/** The subjects of a policy by how much of the threshold they use. */
export function nearestCard() {
  const title = element('h2', {});
  const histogram = table('Subjects by how much of the threshold they use', ['Of the threshold', '#Subjects', '']);
  const near = table('Nearest to the threshold', ['Caller', '#In the window', '#Threshold', 'Used']);
  const busy = table('Busiest callers of the policy', ['Caller', '#Offered/min', '#Share']);
  const note = empty('');
  let due = 0;
  let of = '';

  /** A question that fails is asked again at the next refresh. */
  const asked = (path) => ask(path).catch((error) => {
    due = 0;
    throw error;
  });

  function show(buckets, nearest, busiest, text, missing = []) {
    const most = Math.max(1, ...buckets);
    keyed(histogram.body, buckets.map((count, i) => ({i, count, width: count / most})).reverse(), (one) => String(one.i), bucketRow);
    keyed(near.body, nearest, (one) => JSON.stringify(one.subject), nearRow);
    keyed(busy.body, busiest, (one) => JSON.stringify(one.subject), busyRow);
    histogram.box.hidden = nearest.length === 0;
    near.box.hidden = nearest.length === 0;
    busy.box.hidden = busiest.length === 0;
    note.textContent = [text, ...[...missingByReason(missing)].map(([why, names]) => `Incomplete: ${names}: ${why}.`)].join(' ');
  }

  return {
    element: element('section', {class: 'card', 'aria-live': 'off'}, title, note,
      element('div', {class: 'columns'}, histogram.box, near.box), busy.box),
    /** @param {any} policy of the set in force */
    async refresh(policy) {
      if (policy.name === of && Date.now() < due) {
        return;
      }
      of = policy.name;
      due = Date.now() + EVERY_MILLIS;
      title.textContent = `Nearest to the threshold of ${policy.name}`;
      if (policy.lock === undefined) {
        show([], [], [], 'It has no lock: each agent applies its limit by itself, and the analyzer counts nothing for it.');
        return;
      }
      const answer = await asked(`/policies/${encodeURIComponent(policy.name)}/nearest?limit=${LISTED}`);
      const nearest = answer.nearest.map((one) => ({...one, policy: policy.name, measure: answer.measure}));
      if (nearest.length > 0) {
        show(answer.buckets, nearest, [], 'Of the subjects that are busiest at present, at most 256 of each task. Thresholds that depend on the load or a baseline are those of this moment.',
          answer.missing);
        return;
      }
      const top = await asked(`/callers/top?${new URLSearchParams({policy: policy.name, limit: BUSIEST})}`);
      show([], [], top.callers.map(({subject, share, policies}) => ({subject, share, policy: policy.name, offered: policies[0].offered})),
        top.callers.length === 0 ? 'It has counted no request within about the last minute.'
          : 'The thresholds are not known yet: they depend on other callers, or on what is usual for a caller.', answer.missing);
    },
  };
}

function bucketRow(one) {
  const bar = element('span', {class: `part${one.i === 10 ? ' over' : ''}`});
  bar.style.width = `${100 * one.width}%`;
  return element('tr', {}, element('th', {scope: 'row', class: 'short'}, range(one.i)), element('td', {class: 'number'}, number(one.count)),
    element('td', {class: 'wide', 'aria-hidden': 'true'}, bar));
}

function nearRow(one) {
  const used = one.sum / one.threshold;
  return element('tr', {},
    element('th', {scope: 'row'}, callerLink(one.subject, undefined, one.policy)),
    element('td', {class: 'number'}, amount(one.sum, one.measure)),
    element('td', {class: 'number'}, number(one.threshold)),
    element('td', {}, element('meter', {min: 0, max: 1, high: 0.8, optimum: 0, value: Math.min(1, used), 'aria-label': 'used'}), ` ${percent(used)}`));
}

function busyRow(one) {
  return element('tr', {},
    element('th', {scope: 'row'}, callerLink(one.subject, undefined, one.policy)),
    element('td', {class: 'number'}, number(one.offered)), element('td', {class: 'number'}, percent(one.share)));
}
