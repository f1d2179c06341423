import {addLock, release} from './actions.js';
import {ask} from './api.js';
import {decision} from './decisions.js';
import {element, empty, keyed, table} from './dom.js';
import {dateTime, duration, number, percent, subjectText} from './format.js';
import {lockIntervals} from './intervals.js';
import {lockTable, operatorLock} from './locks.js';
import {neighboursCard} from './neighbours.js';
import {may} from './session.js';
import {windowCard} from './window-card.js';

/** Windows that get a chart; a caller that policies count by more attributes has up to twenty. */
const CHARTS = 6;
const DECISIONS = 20;
/** Each question reads the decision log from Kafka, so it is asked seldom and when a lock changes. */
const HISTORY_MILLIS = 15_000;

const keyOf = (window) => JSON.stringify([window.policy, window.subject]);

/** One caller, or one subject of a policy. @param {string[]} rest @param {URLSearchParams} query @returns {import('./app.js').View} */
export function callerView(rest, query) {
  const policy = query.get('policy');
  const named = rest.length > 0 && rest[0] !== '';
  const name = named ? rest.join('/') : policy ? subjectText(query.getAll('subject')) : '';
  const subject = named ? [name] : query.getAll('subject');
  const locks = lockTable(may('operate') ? {release} : {}, 'It is not locked.');
  const figures = element('dl', {class: 'figures'});
  const windows = element('div', {class: 'cards'});
  const note = empty('');
  const network = element('p', {class: 'hint', hidden: true});
  const past = table('Decisions of the last day', ['Time', 'Policy', 'What', 'By', 'Why']);
  const more = element('a', {href: `#/audit?${new URLSearchParams({q: name})}`, hidden: true}, 'All decisions');
  const noPast = empty('No decision about this caller within the last day.');
  past.box.hidden = true;
  noPast.hidden = true;
  /** @type {Map<string, ReturnType<typeof windowCard>>} */
  const cards = new Map();
  /** @type {Map<string, any[]>} decisions by window, oldest first */
  const histories = new Map();
  let historyDue = 0;
  /** Whether the policy counts something else than callers by this name. */
  let other = !named;
  let closed = false;

  const ofPolicy = () => ask(`/callers?${new URLSearchParams([['policy', policy ?? ''], ...subject.map((value) => ['subject', value])])}`);

  /** All policies that count the caller; the one that was named, where none of them is. */
  async function read() {
    if (other) {
      return ofPolicy();
    }
    const answer = await ask(`/callers?${new URLSearchParams({caller: name})}`);
    if (!policy || answer.missing.length > 0 || answer.windows.some((window) => window.policy === policy)) {
      return answer;
    }
    // of a policy that is not in force any more there is nothing
    const found = await ofPolicy().catch(() => null);
    if (found === null || found.windows.length + found.locks.length + found.operator.length === 0) {
      return answer;
    }
    other = found.windows.length > 0;
    return found;
  }

  async function refresh(state) {
    if (name === '') {
      note.textContent = 'Type the name of a caller, or an address, as the view Now shows it.';
      return;
    }
    const answer = await read();
    if (closed) {
      return;
    }
    locks.update([...answer.operator.map(operatorLock).filter((lock) => lock !== null), ...answer.locks], answer.brokerTime);
    keyed(figures, figuresOf(answer), (one) => one.name, (one) => element('div', {}, element('dt', {}, one.name), element('dd', {}, one.value)));
    note.hidden = answer.windows.length > 0 && answer.missing.length === 0;
    note.textContent = answer.missing.length > 0
      ? `Incomplete: ${answer.missing.map((one) => `${one.what}: ${one.why}`).join('; ')}`
      : (await state).revision === '' ? 'No policies are in force, so no caller is counted. Publish some: ./sluice policies apply policies.yml.'
        : 'No policy in force counts this caller. Check the name, and match and per of the policies.';
    if (answer.network && network.hidden) {
      network.append('Gates and access logs name IPv6 callers by their network: ',
        element('a', {href: `#/caller/${encodeURIComponent(answer.network)}`}, answer.network));
      network.hidden = false;
    }
    show(answer);
    if (Date.now() >= historyDue) {
      historyDue = Date.now() + HISTORY_MILLIS;
      await decisions(answer.windows).catch((error) => {
        historyDue = 0;
        throw error;
      });
      if (!closed) {
        show(answer);
      }
    }
  }

  function show(answer) {
    for (const window of answer.windows.slice(0, CHARTS)) {
      const key = keyOf(window);
      if (!cards.has(key)) {
        cards.set(key, windowCard(window));
        windows.append(cards.get(key).element);
      }
      const held = answer.locks.filter((lock) => lock.policy === window.policy && lock.subject.join('\n') === window.subject.join('\n'));
      cards.get(key).update(window, lockIntervals(histories.get(key) ?? [], held, answer.brokerTime), answer.brokerTime);
    }
  }

  async function decisions(list) {
    // one after the other: the analyzer reads the log for two at once
    for (const window of list.slice(0, CHARTS)) {
      const found = await ask(`/history?${new URLSearchParams([['policy', window.policy], ['sinceSeconds', '86400'], ['limit', '50'],
        ...window.subject.map((value) => ['subject', value])])}`);
      histories.set(keyOf(window), found.decisions);
    }
    const rows = [...histories.values()].flat().map(decision).sort((a, b) => b.at - a.at);
    more.hidden = rows.length <= DECISIONS;
    keyed(past.body, rows.slice(0, DECISIONS).map((one, i) => ({...one, i: rows.length - i})), (one) => `${one.at} ${one.i}`, (one) => element('tr', {},
      element('td', {class: 'time'}, dateTime(one.at)), element('th', {scope: 'row'}, one.policy), element('td', {}, one.what),
      element('td', {}, one.by), element('td', {class: 'why'}, one.why)));
    past.box.hidden = rows.length === 0;
    noPast.hidden = rows.length > 0;
  }

  const input = element('input', {id: 'caller-name', type: 'search', value: name});
  return {
    title: name === '' ? 'Caller' : name,
    element: element('div', {class: 'view'},
      element('div', {class: 'head'}, element('h1', {}, name === '' ? 'Caller' : name),
        element('form', {class: 'row', onsubmit(event) {
          event.preventDefault();
          location.hash = `#/caller/${encodeURIComponent(input.value.trim())}`;
        }}, element('label', {for: 'caller-name', class: 'hidden'}, 'Caller or address'), input, element('button', {}, 'Show'))),
      network,
      note,
      ...name === '' ? [] : [figures,
        element('section', {class: 'card'}, element('div', {class: 'head'}, element('h2', {}, 'Locks'),
          may('operate') && element('button', {type: 'button', id: 'add-lock',
            onclick: () => addLock(subject, policy ?? '')}, 'Add a lock…')), locks.element),
        windows,
        ...named ? [neighboursCard(name)] : [],
        element('section', {class: 'card'}, element('div', {class: 'head'}, element('h2', {}, 'Decisions of the last day'), more), past.box, noPast)]),
    refresh,
    tick: locks.tick,
    changed() {
      historyDue = 0;
    },
    close() {
      closed = true;
      cards.forEach((one) => one.close());
    },
  };
}

/** Figures of the policy that has counted most of its requests: each counts those that it matches. */
function figuresOf(answer) {
  const count = (window) => [...window.admitted, ...window.rejected].reduce((sum, value) => sum + value, 0);
  const perMinute = (window) => count(window) * 60_000 / window.windowMillis;
  const busiest = answer.windows.reduce((most, window) => most === null || perMinute(window) > perMinute(most) ? window : most, null);
  if (busiest === null) {
    return [];
  }
  const all = count(busiest);
  const rejected = busiest.rejected.reduce((sum, value) => sum + value, 0);
  const shares = answer.windows.filter((window) => window.share !== undefined).map((window) => window.share);
  const over = `last ${duration(busiest.windowMillis)}`;
  return [
    {name: `Requests/min, ${over}`, value: number(perMinute(busiest))},
    {name: `Rejected, ${over}`, value: all === 0 ? '–' : percent(rejected / all)},
    {name: 'Share of the load', value: shares.length === 0 ? 'not among the busiest 256' : percent(Math.max(...shares))},
    {name: 'Locks', value: number(answer.locks.length + answer.operator.filter((one) => one.type === 'operator-lock').length)},
  ];
}
