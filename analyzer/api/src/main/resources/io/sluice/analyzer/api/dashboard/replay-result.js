import {axis, chart, colour, INCREMENTS, MARGIN, timeAxis} from './chart.js';
import {element, empty, table} from './dom.js';
import {dateTime, duration, number, percent, subjectText, time} from './format.js';

/** Rows of lists; further ones are counted. */
const LOCKS = 200;
const LANES = 24;
const AXIS = 64;
const KINDS = {
  comes: 'new', goes: 'gone', merged: 'merged', split: 'split', startsEarlier: 'starts earlier', startsLater: 'starts later',
  endsEarlier: 'ends earlier', endsLater: 'ends later', mode: 'other mode', shadow: 'shadow or armed', guarded: 'held back by the guard or not', rejected: 'rejects more or fewer',
};

const sum = (values) => values.reduce((all, value) => all + value, 0);

/**
 * What a replay has found.
 *
 * @param {any} report of /replay or /policies/trial
 * @returns {{element: HTMLElement, draw: () => void, close: () => void}} `draw` once it is in the page
 */
export function replayResult(report) {
  const line = report.timeline;
  if (!line) {
    return {element: element('section', {class: 'card'}, deadLetters(report) ?? '',
      empty('No line of the log is a request. Choose its format.')), draw() {}, close() {}};
  }
  const rejected = sum(line.rejected);
  const plot = chart(() => ({data: rows(line), options: options(line)}), `Requests over time by caller: ${number(sum(line.requests))} in all, `
    + `of which the locks would have rejected ${number(rejected)}; the tables below have the figures`);
  const parts = [
    element('dl', {class: 'figures'}, ...figures(report, rejected)),
    element('section', {class: 'card'}, element('h2', {}, 'Over time'), plot.box, legend(line), lanes(report, line)),
    changes(report), locks(report), callers(report), suggestion(report), deadLetters(report), notes(report)];
  return {
    element: element('div', {class: 'view'}, ...parts),
    draw: plot.draw,
    close: plot.close,
  };
}

const end = (line) => line.from + line.requests.length * line.stepMillis;

function figures(report, rejected) {
  const figure = (name, value) => element('div', {}, element('dt', {}, name), element('dd', {}, value));
  return [figure('Requests', number(sum(report.timeline.requests))), figure('Time', duration(report.to - report.from)),
    figure('Locks', number(report.locks.length)), figure('Would be rejected', number(rejected)),
    figure('Unreadable lines', number(report.deadLetters))];
}

/** Stacked sums from the top down, then the rejections. */
function rows(line) {
  let below = line.requests.map(() => 0);
  const sums = line.callers.map((row) => {
    below = below.map((value, i) => value + row.requests[i]);
    return below;
  });
  // the last step has its width from a point at its end
  const whole = (values) => [...values, values[values.length - 1]];
  return [[...line.requests, 0].map((_, i) => (line.from + i * line.stepMillis) / 1000),
    ...[line.requests, ...sums.reverse(), line.rejected].map(whole)];
}

function options(line) {
  const stepped = window.uPlot.paths.stepped({align: 1});
  const area = (name) => ({fill: colour(name), stroke: colour('--surface'), width: 1, points: {show: false}, paths: stepped});
  return {
    padding: [null, MARGIN, null, null],
    series: [{}, area('--series-rest'), ...line.callers.map((_, i) => area(`--series-${i + 1}`)).reverse(),
      {stroke: colour('--bad'), width: 2, dash: [6, 3], points: {show: false}, paths: stepped}],
    scales: {x: {range: () => [line.from / 1000, end(line) / 1000]}, y: {range: (_plot, _min, max) => [0, Math.max(1, max) * 1.1]}},
    axes: [{...timeAxis(), incrs: INCREMENTS, values: (_plot, ticks) => ticks.map((at) => time(at * 1000))},
      {...axis(), size: AXIS, values: (_plot, ticks) => ticks.map(number)}],
  };
}

function legend(line) {
  const key = (style, text) => element('li', {}, element('span', {class: style, 'aria-hidden': 'true'}), text);
  return element('ul', {class: 'legend'},
    ...line.callers.map((row, i) => key(`swatch s-${i + 1}`, row.caller)), key('swatch s-rest', 'others'),
    key('line l-threshold', 'would be rejected'), element('li', {}, `per ${duration(line.stepMillis)}`));
}

/** A bar for each lock below the chart, on its axis. The table of locks has the same for screen readers. */
function lanes(report, line) {
  const bySubject = new Map();
  for (const lock of report.locks) {
    const key = JSON.stringify([lock.policy, lock.subject]);
    bySubject.set(key, [...bySubject.get(key) ?? [], lock]);
  }
  const span = end(line) - line.from;
  const shown = [...bySubject.values()].slice(0, LANES).map((all) => element('li', {},
    element('span', {class: 'lane-name'}, `${subjectText(all[0].subject)} – ${all[0].policy}`),
    element('span', {class: 'track'}, ...all.map((lock) => {
      const bar = element('span', {class: `bar ${soft(lock) ? 'soft' : 'hard'}`, title: `${effectOf(lock)}, ${dateTime(lock.at)} to ${dateTime(lock.until)}`});
      const from = Math.max(0, (lock.at - line.from) / span);
      bar.style.left = `${100 * from}%`;
      bar.style.width = `${100 * Math.max(0.002, Math.min(1, (lock.until - line.from) / span) - from)}%`;
      return bar;
    }))));
  return element('div', {'aria-hidden': 'true'}, element('ul', {class: 'lanes'}, ...shown),
    bySubject.size > LANES ? element('p', {class: 'hint'}, `${number(LANES)} of ${number(bySubject.size)} locked subjects.`) : '');
}

const soft = (lock) => lock.shadow || lock.guarded || lock.mode === 'shadow';

const effectOf = (lock) => lock.guarded ? 'held back by the guard' : soft(lock) ? 'shadow' : lock.mode;

/** @param {any} lock of a report @returns {string} why it opens, in a sentence */
function why(lock) {
  switch (lock.detector) {
    case 'share':
      return `It used ${percent(lock.observed)} of the load; ${percent(lock.threshold)} is allowed.`;
    case 'spike':
      return `It made ${number(lock.observed)} times its baseline; ${number(lock.threshold)} times is allowed.`;
    case 'debt':
      return `It has a debt of ${number(lock.observed)}; ${number(lock.threshold)} is allowed.`;
    default:
      return `It made ${number(lock.observed)} in the window; ${number(lock.threshold)} is allowed.`;
  }
}

function locks(report) {
  const {box, body} = table('Locks', ['Caller', 'Policy', 'From', 'Until', 'Effect', 'Why', '#Would reject']);
  body.append(...report.locks.slice(0, LOCKS).map((lock) => element('tr', {},
    element('th', {scope: 'row'}, subjectText(lock.subject)), element('td', {}, lock.policy),
    element('td', {}, dateTime(lock.at)), element('td', {}, dateTime(lock.until), lock.released ? element('span', {class: 'sub'}, 'demand fell') : ''),
    element('td', {}, element('span', {class: `tag ${soft(lock) ? 'soft' : 'hard'}`}, effectOf(lock))),
    element('td', {class: 'why'}, why(lock)), element('td', {class: 'number'}, number(lock.rejected)))));
  return element('section', {class: 'card'}, element('h2', {}, 'Locks'),
    report.locks.length === 0 ? empty('The policies would have made no locks.') : box,
    report.locks.length > LOCKS ? element('p', {class: 'hint'}, `The first ${LOCKS} of ${number(report.locks.length)}.`) : '');
}

function callers(report) {
  const {box, body} = table('Busiest callers of the log', ['Caller', '#Requests', '#Share', '#Busiest minute', '#Median minute']);
  const slots = report.timeline.callers.map((row) => row.caller);
  body.append(...report.topCallers.map((one) => {
    const slot = slots.indexOf(one.caller);
    return element('tr', {},
      element('th', {scope: 'row'}, element('span', {class: `swatch s-${slot < 0 ? 'rest' : slot + 1}`, 'aria-hidden': 'true'}), one.caller),
      ...[number(one.count), percent(one.share), number(one.max), number(one.p50)].map((text) => element('td', {class: 'number'}, text)));
  }));
  return element('section', {class: 'card'}, element('h2', {}, 'Busiest callers'), box);
}

function changes(report) {
  if (!report.changes) {
    return null;
  }
  const {box, body} = table('Changes against the policies in force', ['Caller', 'Policy', 'Change', 'In force', 'Tried']);
  const brief = (lock) => lock ? `${dateTime(lock.at)}, ${effectOf(lock)}, ${number(lock.rejected)} rejected` : 'none';
  body.append(...report.changes.slice(0, LOCKS).map((one) => element('tr', {},
    element('th', {scope: 'row'}, subjectText(one.subject)), element('td', {}, one.policy),
    element('td', {}, one.kinds.map((kind) => KINDS[kind] ?? kind).join(', ')), element('td', {}, brief(one.old)), element('td', {}, brief(one.new)))));
  return element('section', {class: 'card'}, element('h2', {}, 'Changes against the policies in force'),
    report.changes.length === 0 ? empty('The policies in force would have made the same locks.') : box);
}

function suggestion(report) {
  return report.suggestion ? element('section', {class: 'card'}, element('h2', {}, 'Suggested limits'),
    element('p', {class: 'hint'}, 'Double of what all but the busiest callers reach. Save it as a policy file and replay with it.'),
    element('pre', {class: 'code', tabindex: 0}, report.suggestion.policies)) : null;
}

function deadLetters(report) {
  return report.deadLetters > 0 ? element('section', {class: 'card'}, element('h2', {}, 'Unreadable lines'),
    element('ul', {}, ...report.deadLetterReasons.map((one) => element('li', {}, `${number(one.count)}: ${one.reason} (${one.examples.join(', ')})`)))) : null;
}

function notes(report) {
  return report.notes.length === 0 ? null : element('section', {class: 'card'}, element('h2', {}, 'Notes'),
    element('ul', {}, ...report.notes.map((text) => element('li', {}, text))));
}
