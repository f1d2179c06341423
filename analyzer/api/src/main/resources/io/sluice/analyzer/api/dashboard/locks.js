import {element, empty, keyed, table} from './dom.js';
import {dateTime, duration, effect, subjectText, time, why} from './format.js';

/**
 * @param {string[]} subject
 * @param {string} text
 * @param {string|null} policy that counts it: not every subject of one value is a caller
 * @returns {HTMLElement} a link to the view of a caller
 */
export function callerLink(subject, text = subjectText(subject), policy = null) {
  const path = subject.length === 1
    ? `#/caller/${encodeURIComponent(subject[0])}${policy ? `?${new URLSearchParams({policy})}` : ''}`
    : `#/caller?${new URLSearchParams([['policy', policy ?? ''], ...subject.map((value) => ['subject', value])])}`;
  return element('a', {href: path, class: 'name'}, text);
}

/**
 * The list of locks.
 *
 * @param {{release?: (lock: any) => void}} [actions]
 * @param {string} [nothing] what stands in its place where there is no lock
 */
export function lockTable(actions = {}, nothing = 'No caller is locked. The analyzer locks a caller once it exceeds the limit of an armed policy.') {
  const {box, body} = table('Locked callers', ['Caller', 'Effect', 'Why', '#Ends in', '#Reaction', ...actions.release ? ['Action'] : []]);
  const none = empty(nothing);
  none.hidden = true;
  let offset = 0;
  const left = (until) => {
    const millis = until - Date.now() - offset;
    return millis > 0 ? duration(millis) : 'now';
  };
  const row = (lock) => element('tr', {},
    element('th', {scope: 'row'}, callerLink(lock.subject, undefined, lock.policy),
      element('span', {class: 'sub'}, `by ${lock.policy}${lock.level > 0 ? `, level ${lock.level}` : ''}`)),
    element('td', {}, element('span', {class: `tag ${lock.shadow || lock.guarded || lock.mode === 'shadow' ? 'soft' : 'hard'}`}, effect(lock))),
    element('td', {class: 'why'}, lock.reason ?? why(lock.evidence)),
    element('td', {class: 'number', 'data-until': lock.until, title: lock.until > 8e15 ? null : dateTime(lock.until)}, left(lock.until)),
    element('td', {class: 'number'}, lock.evidence && lock.evidence.crossed > 0
      ? duration(Math.max(1, lock.evidence.decided - lock.evidence.crossed)) : '–'),
    actions.release && element('td', {}, lock.mode !== 'released' && element('button', {type: 'button', onclick: () => actions.release(lock),
      'aria-label': `Release ${subjectText(lock.subject)} of ${lock.policy}`}, 'Release…')));
  const tick = () => body.querySelectorAll('[data-until]').forEach((cell) => {
    cell.textContent = left(Number(cell.dataset.until));
  });
  return {
    element: element('div', {}, box, none),
    /** @param {any[]} locks @param {number} brokerTime */
    update(locks, brokerTime) {
      offset = brokerTime - Date.now();
      keyed(body, locks, (lock) => JSON.stringify([lock.policy, lock.subject, lock.by ?? '']), row);
      box.hidden = locks.length === 0;
      none.hidden = locks.length > 0;
      tick();
    },
    tick,
  };
}

/** @param {any} said an operator's record about a subject @returns {any} as a row of the list; `null` for other records */
export function operatorLock(said) {
  if (said.type === 'operator-enforce') {
    return null;
  }
  const [policy, ...subject] = said.key;
  return {
    policy, subject, mode: said.mode ?? 'released', rate: said.rate, level: 0, by: said.author,
    until: said.appended + (said.ttlMillis ?? 0),
    reason: `${said.author}, ${time(said.appended)}: ${said.reason}`,
  };
}
