import {addLock, enforcement, release} from './actions.js';
import {ask} from './api.js';
import {stackedChart} from './chart.js';
import {claimedCard} from './claimed.js';
import {element, empty, keyed, table} from './dom.js';
import {dateTime, duration, effect, number, percent} from './format.js';
import {callerLink, lockTable, operatorLock} from './locks.js';
import {callerKey, sameKind, samples} from './samples.js';
import {may} from './session.js';

/** Rows of the list of locks; further ones are counted. */
const LOCKS = 100;
const CALLERS = 12;
/** Names of what is missing for one reason; further ones are counted. */
const NAMED = 6;

/** The whole fleet as it is now. @returns {import('./app.js').View} */
export function nowView() {
  const banners = element('div', {class: 'banners', 'aria-live': 'polite'});
  const figures = element('dl', {class: 'figures'});
  const plot = stackedChart(() => samples.stacked(), 'Requests per minute by caller');
  const callers = table('Busiest callers', ['Caller', '#Requests/min', '#Rejected/min', '#Share', 'State']);
  const quiet = empty('No requests in the last minute. Check that a source topic is configured and that services write to it: ./sluice doctor.');
  quiet.hidden = true;
  const held = element('div');
  /** @type {ReturnType<typeof lockTable>|null} */
  let locks = null;
  const more = element('p', {class: 'hint'});
  const claimed = claimedCard();

  async function refresh(state) {
    const [status, top, answer] = await Promise.all([state, ask(`/callers/top?limit=${CALLERS}`), ask(`/locks?limit=${LOCKS}`)]);
    samples.add(top);
    if (locks === null) {
      locks = lockTable(may('operate') ? {release} : {});
      held.append(locks.element);
    }
    keyed(banners, bannersOf(status, top, answer), (one) => one.head + one.text, (one) =>
      element('p', {class: `banner ${one.kind}`}, element('strong', {}, `${one.head} `), one.text,
        one.off && may('operate') && element('button', {type: 'button', onclick: () => enforcement(true, one.off.agent)}, 'Switch on…')));
    const operators = answer.operator.map(operatorLock).filter((lock) => lock !== null);
    const released = (one) => one.mode === 'released';
    // releases hold no caller back: they are shown where locks leave room
    const rows = [...operators.filter((one) => !released(one)), ...answer.locks, ...operators.filter(released)].slice(0, LOCKS);
    locks.update(rows, answer.brokerTime);
    const all = answer.operatorLocks + answer.total;
    const shown = rows.filter((one) => !released(one)).length;
    more.textContent = all > shown ? `${number(shown)} of ${number(all)} locks; ./sluice locks list has all.` : '';
    keyed(figures, figuresOf(status, answer), (one) => one.name, (one) =>
      element('div', {}, element('dt', {}, one.name), element('dd', {}, one.value)));
    const busiest = sameKind(top.callers).map((caller) => ({...caller, states: statesOf(caller, answer.locks), slot: samples.slots.indexOf(callerKey(caller))}));
    keyed(callers.body, busiest, callerKey, callerRow);
    callers.box.hidden = busiest.length === 0;
    quiet.hidden = busiest.length > 0;
    claimed.hidden = !(top.claimed?.claimed > 0);
    plot.draw();
    const last = samples.list[samples.list.length - 1];
    plot.describe(`Requests per minute by caller, ${number(last.total)} in total; the table below has the figures`);
  }

  return {
    title: 'Now',
    element: element('div', {class: 'view'},
      element('h1', {class: 'hidden'}, 'Now'), banners, figures,
      element('section', {class: 'card', 'aria-labelledby': 'locked'},
        element('div', {class: 'head'}, element('h2', {id: 'locked'}, 'Locked callers'),
          may('operate') && element('div', {class: 'row'},
            element('button', {type: 'button', id: 'add-lock', onclick: () => addLock()}, 'Add a lock…'),
            element('button', {type: 'button', id: 'switch-off', onclick: () => enforcement(false)}, 'Switch rejection off…'))),
        held, more),
      element('section', {class: 'card', 'aria-labelledby': 'load'},
        element('h2', {id: 'load'}, 'Load by caller'),
        element('p', {class: 'hint'}, 'Requests per minute, averaged over about the last minute, since this page was opened.'),
        plot.box, callers.box, quiet), claimed),
    refresh,
    tick: () => locks?.tick(),
    close: plot.close,
  };
}

function callerRow(caller) {
  const colour = caller.slot < 0 ? 'rest' : String(caller.slot + 1);
  return element('tr', {},
    element('th', {scope: 'row'}, element('span', {class: `swatch s-${colour}`, 'aria-hidden': 'true'}),
      callerLink(caller.subject, undefined, caller.policies[0]?.policy)),
    element('td', {class: 'number'}, number(caller.requests)),
    element('td', {class: 'number'}, number(caller.rejected)),
    element('td', {class: 'number'}, percent(caller.share)),
    element('td', {}, ...caller.states.length === 0 ? ['admitted']
      : caller.states.map((state) => element('span', {class: `tag ${SOFT.test(state) ? 'soft' : 'hard'}`}, state))));
}

/** Effects of locks that reject nothing. */
const SOFT = /^(shadow|held back|released)/;

/** @returns {string[]} each lock's effect, those that reject requests first; a summary where the lock is not among those shown */
function statesOf(caller, locks) {
  return caller.locks.map((brief) => {
    const lock = locks.find((one) => brief.by === 'analyzer' && one.policy === brief.policy
      && one.subject.join('\n') === caller.subject.join('\n'));
    return `${lock ? effect(lock) : brief.mode} (${brief.policy})`;
  }).sort((one, other) => SOFT.test(one) - SOFT.test(other));
}

function figuresOf(status, held) {
  const reactions = held.locks.filter((lock) => lock.evidence?.crossed > 0)
    .map((lock) => Math.max(1, lock.evidence.decided - lock.evidence.crossed)).sort((a, b) => a - b);
  const load = samples.list[samples.list.length - 1];
  return [
    {name: 'Requests/min', value: number(load.total)},
    {name: 'Locks', value: number(held.total + held.operatorLocks)},
    {name: 'Median reaction', value: reactions.length === 0 ? '–' : duration(reactions[Math.floor(reactions.length / 2)])},
    {name: 'Agents', value: status.agentsStale > 0 ? `${number(status.agentsAlive)} · ${number(status.agentsStale)} stale` : number(status.agentsAlive)},
    {name: 'Enforcement', value: status.revision === '' ? '–' : status.enforce ? 'on' : 'off'},
  ];
}

function bannersOf(status, top, held) {
  const banners = status.switchedOff.map((off) => ({
    kind: 'bad', off, head: off.agent ? `Rejection is switched off at agent ${off.agent}.` : 'Rejection is switched off everywhere.',
    text: `By ${off.author}, ${dateTime(off.since)}: ${off.reason}. Until ${dateTime(off.until)}, or until it is switched on.`,
  }));
  if (status.note) {
    banners.push({kind: 'info', head: 'Demo.', text: status.note});
  }
  if (status.revision === '') {
    banners.push({kind: 'warn', head: 'No policies are in force.', text: 'Publish some: ./sluice policies apply policies.yml.'});
  } else if (!status.enforce && status.switchedOff.length === 0) {
    banners.push({kind: 'warn', head: 'The policy set does not enforce.', text: 'Locks are recorded, nothing is rejected. Set enforce: true in the policy file.'});
  }
  const guarded = held.guarded;
  if (guarded > 0) {
    banners.push({kind: 'warn', head: guarded === 1 ? 'The guard holds back a lock.' : `The guard holds back ${number(guarded)} locks.`,
      text: 'Too many subjects of a policy are locked, so these callers are admitted. Check the threshold of the policy, then its guard.'});
  }
  if (top.claimed && top.claimed.claimed > 0) {
    banners.push({kind: 'info', head: 'Some callers are only claimed.',
      text: `${percent(top.claimed.share)} of the requests have a claimed caller, which no policy by caller can lock. At the end of this page you can see which, and the setting that changes it.`});
  }
  if (status.agentsStale > 0) {
    banners.push({kind: 'warn', head: status.agentsStale === 1 ? 'An agent is silent or behind.' : `${number(status.agentsStale)} agents are silent or behind.`,
      text: 'They may not follow new locks. The view Agents and ./sluice agents list show which.'});
  }
  if (!status.running) {
    banners.push({kind: 'bad', head: 'This instance does not process all its tasks.', text: 'If it stays so, run ./sluice doctor.'});
  }
  if (status.catchingUp !== '') {
    banners.push({kind: 'warn', head: 'This instance is behind.', text: sentence(status.catchingUp)});
  }
  top.behind.forEach((one) => banners.push({kind: 'warn', head: `Instance ${one.what} is behind.`, text: sentence(one.why)}));
  missingByReason(top.missing).forEach((names, why) => banners.push({kind: 'warn', head: `Missing: ${names}.`, text: sentence(why)}));
  return banners;
}

/** @param {string} text @returns {string} with a capital letter and a full stop */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

/** Each topic has partitions of the same numbers. @param {{what: string, why: string}[]} missing @returns {Map<string, string>} names by reason */
export function missingByReason(missing) {
  const reasons = new Map();
  missing.forEach(({what, why}) => reasons.set(why, (reasons.get(why) ?? new Set()).add(what)));
  return new Map([...reasons].map(([why, names]) => [why, [...names].slice(0, NAMED).join(', ')
    + (names.size > NAMED ? ` and ${number(names.size - NAMED)} more` : '')]));
}
