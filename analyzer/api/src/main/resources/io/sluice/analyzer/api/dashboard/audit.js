import {ask} from './api.js';
import {csv, decision} from './decisions.js';
import {element, empty, keyed, table} from './dom.js';
import {dateTime, number} from './format.js';
import {callerLink} from './locks.js';

/** Each question reads the decision log from Kafka, so it is asked seldom and when a lock changes. */
const EVERY_MILLIS = 15_000;
const ROWS = 200;
const SPANS = [['3600', 'the last hour'], ['86400', 'the last day'], ['604800', 'the last week']];

/** Decisions of a question, the most that the analyzer answers. */
const PAGE = 1_000;

/** Every decision and every operator's action. @param {string[]} _rest @param {URLSearchParams} query @returns {import('./app.js').View} */
export function auditView(_rest, query) {
  const {box, body} = table('Decisions', ['Time', 'Policy', 'Caller', 'What', 'By', 'Why']);
  const none = empty('');
  const note = element('p', {class: 'hint', role: 'status'});
  const since = element('select', {id: 'since', onchange: refilter}, ...SPANS.map(([value, label]) =>
    element('option', {value, selected: value === (query.get('since') ?? '86400')}, label)));
  const filter = element('input', {id: 'filter', type: 'search', value: query.get('q') ?? '', oninput: filtered});
  /** @type {import('./decisions.js').Decision[]} */
  let all = [];
  let answer = null;
  /** Older pages are open, which new decisions would move. */
  let paged = false;
  let due = 0;
  const older = element('button', {type: 'button', id: 'older', hidden: true, onclick: () => readOlder().catch(failed)}, 'Read older ones');

  function refilter() {
    remember();
    paged = false;
    due = 0;
    document.dispatchEvent(new Event('refresh'));
  }

  function filtered() {
    remember();
    draw();
  }

  function remember() {
    history.replaceState(null, '', `#/audit?${new URLSearchParams({since: since.value, q: filter.value})}`);
  }

  const shown = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    return all.filter((one) => {
      const text = `${one.policy} ${one.subject} ${one.what} ${one.by} ${one.why}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  };

  function draw() {
    if (answer === null) {
      return;
    }
    const rows = shown();
    keyed(body, rows.slice(0, ROWS).map((one, i) => ({...one, i: rows.length - i})), (one) => `${one.at} ${one.i}`, row);
    box.hidden = rows.length === 0;
    none.hidden = rows.length > 0;
    none.textContent = all.length > 0 ? 'No decision has all these words. Change the filter.'
      : since.value === SPANS.at(-1)[0] ? 'No decision in this time: no caller was locked or released, and no policies were applied.'
        : 'No decision in this time. Choose a longer one.';
    note.textContent = `${number(rows.length)} decisions${rows.length > ROWS ? `, the newest ${ROWS} are shown; the file has all` : ''}.`
      + (answer.truncated ? ' There are older ones.' : '') + (paged ? ' New ones are added when another time is chosen.' : '')
      + (answer.wholeSince > 0 ? ` Kafka has kept none from before ${dateTime(answer.wholeSince)}.` : '');
  }

  const read = (before) => ask(`/history?limit=${PAGE}&sinceSeconds=${since.value}${before === null ? '' : `&before=${before}`}`);

  /** The oldest decision is asked for again: others may have the same time. */
  async function readOlder() {
    older.disabled = true;
    try {
      const next = await read(answer.decisions[0].appended + 1);
      const known = new Set(answer.decisions.map((one) => JSON.stringify(one)));
      answer = {...next, decisions: [...next.decisions.filter((one) => !known.has(JSON.stringify(one))), ...answer.decisions]};
      paged = true;
      show();
    } finally {
      older.disabled = false;
    }
  }

  function failed(error) {
    note.textContent = `Not read: ${error.message}`;
  }

  function show() {
    all = answer.decisions.map(decision).reverse();
    older.hidden = !answer.truncated || answer.decisions.length === 0;
    draw();
  }

  function download() {
    const address = URL.createObjectURL(new Blob([csv(shown())], {type: 'text/csv'}));
    element('a', {href: address, download: 'sluice-audit.csv'}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  return {
    title: 'Audit',
    element: element('div', {class: 'view'}, element('h1', {}, 'Audit'),
      element('section', {class: 'card'},
        element('div', {class: 'row'},
          element('div', {}, element('label', {for: 'since'}, 'Time'), since),
          element('div', {}, element('label', {for: 'filter'}, 'Filter by words'), filter),
          element('button', {type: 'button', id: 'csv', onclick: download}, 'Download CSV')),
        note, box, none, element('p', {class: 'row'}, older))),
    async refresh() {
      if (paged || Date.now() < due) {
        return;
      }
      due = Date.now() + EVERY_MILLIS;
      answer = await read(null).catch((error) => {
        due = 0;
        throw error;
      });
      show();
    },
    changed() {
      due = 0;
    },
  };
}

function row(one) {
  return element('tr', {}, element('td', {class: 'time'}, dateTime(one.at)), element('td', {}, one.policy),
    element('th', {scope: 'row'}, one.values.length === 0 ? '' : callerLink(one.values, one.subject, one.policy)), element('td', {}, one.what), element('td', {}, one.by),
    element('td', {class: 'why'}, one.why));
}
