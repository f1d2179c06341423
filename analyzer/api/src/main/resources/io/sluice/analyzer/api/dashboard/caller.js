import {ask} from './api.js';
import {windowChart} from './window-chart.js';
import {decision} from './decisions.js';
import {element, empty, keyed, table} from './dom.js';
import {amount, dateTime, duration, number, percent} from './format.js';
import {lockTable, operatorLock} from './locks.js';

/** Windows that get a chart; a caller that policies count by more attributes has up to twenty. */
const CHARTS = 6;

/** One caller, or one subject of a policy. @param {string[]} rest @param {URLSearchParams} query @returns {import('./app.js').View} */
export function callerView(rest, query) {
  const policy = query.get('policy');
  const named = rest.length > 0 && rest[0] !== '';
  const name = named ? rest.join('/') : query.getAll('subject').join(' · ');
  const locks = lockTable();
  const windows = element('div', {class: 'view'});
  const note = empty('');
  const past = table('Decisions of the last day', ['Time', 'Policy', 'What', 'By', 'Why']);
  const noPast = empty('No decision about this caller within the last day.');
  /** @type {Map<string, ReturnType<typeof card>>} */
  const cards = new Map();
  let historyDue = true;

  async function refresh() {
    if (name === '') {
      note.textContent = 'No caller is named. Type a name above.';
      return;
    }
    const answer = await ask(named ? `/callers/${encodeURIComponent(name)}` : `/callers?${new URLSearchParams(
      [['policy', policy ?? ''], ...query.getAll('subject').map((value) => ['subject', value])])}`);
    locks.update([...answer.operator.map(operatorLock).filter((lock) => lock !== null), ...answer.locks], answer.brokerTime);
    for (const window of answer.windows.slice(0, CHARTS)) {
      const key = JSON.stringify([window.policy, window.subject]);
      if (!cards.has(key)) {
        cards.set(key, card(window));
        windows.append(cards.get(key).element);
      }
      cards.get(key).update(window, answer.locks.filter((lock) => lock.policy === window.policy), answer.brokerTime);
    }
    note.hidden = answer.windows.length > 0 && answer.missing.length === 0;
    note.textContent = answer.missing.length > 0
      ? `Incomplete: ${answer.missing.map((one) => `${one.what}: ${one.why}`).join('; ')}`
      : 'No policy in force counts this caller.';
    if (historyDue) {
      historyDue = false;
      await decisions(answer.windows);
    }
  }

  async function decisions(list) {
    const rows = [];
    // one after the other: the analyzer reads the log for two at once
    for (const window of list.slice(0, CHARTS)) {
      const found = await ask(`/history?${new URLSearchParams([['policy', window.policy], ['sinceSeconds', '86400'], ['limit', '50'],
        ...window.subject.map((value) => ['subject', value])])}`);
      rows.push(...found.decisions.map(decision));
    }
    rows.sort((a, b) => b.at - a.at);
    keyed(past.body, rows.map((one, i) => ({...one, i: rows.length - i})), (one) => `${one.at} ${one.i}`, (one) => element('tr', {},
      element('td', {}, dateTime(one.at)), element('th', {scope: 'row'}, one.policy), element('td', {}, one.what),
      element('td', {}, one.by), element('td', {class: 'why'}, one.why)));
    past.box.hidden = rows.length === 0;
    noPast.hidden = rows.length > 0;
  }

  const input = element('input', {id: 'caller-name', type: 'search', value: name});
  return {
    title: name === '' ? 'Caller' : name,
    element: element('div', {class: 'view'},
      element('h1', {}, name === '' ? 'Caller' : name),
      element('form', {class: 'row', onsubmit(event) {
        event.preventDefault();
        location.hash = `#/caller/${encodeURIComponent(input.value)}`;
      }}, element('div', {}, element('label', {for: 'caller-name'}, 'Caller or address'), input), element('button', {}, 'Show')),
      element('section', {class: 'card'}, element('h2', {}, 'Locks'), locks.element),
      note, windows,
      element('section', {class: 'card'}, element('h2', {}, 'Decisions of the last day'), past.box, noPast)),
    refresh,
    tick: locks.tick,
    changed() {
      historyDue = true;
    },
    close: () => cards.forEach((one) => one.close()),
  };
}

function card(first) {
  const text = element('p', {});
  const plot = windowChart(first);
  return {
    element: element('section', {class: 'card'},
      element('h2', {}, `${first.policy}: ${first.measure} in ${duration(first.windowMillis)}`,
        element('span', {class: 'sub'}, `per ${first.per.join(', ')}: ${first.subject.join(' · ')}`)),
      text, plot.element),
    update(window, locks, brokerTime) {
      const admitted = window.admitted.reduce((sum, value) => sum + value, 0);
      const rejected = window.rejected.reduce((sum, value) => sum + value, 0);
      text.textContent = `${amount(window.sum, window.measure)} in the window`
        + (window.threshold === undefined ? '; the threshold depends on other callers or on what is usual. '
          : ` of ${number(window.threshold)} allowed (${percent(window.sum / window.threshold)}). `)
        + `${number(admitted)} requests admitted, ${number(rejected)} rejected.`;
      plot.update(window, locks, brokerTime);
      plot.describe(`${first.policy}: ${text.textContent}`);
    },
    close: plot.close,
  };
}
