import {chart, INCREMENTS, axis, timeAxis} from './chart.js';
import {element} from './dom.js';
import {number} from './format.js';

/** Samples of the sum that are kept. */
const MOST = 300;

/**
 * The window of a caller over time: its sum against the threshold on the left axis, admitted and rejected requests of each pane on the right, and
 * the time of locks as a shade.
 *
 * @param {any} first a window of /callers
 */
export function windowChart(first) {
  /** @type {Map<number, number>} the sum by pane */
  const sums = new Map();
  let window = first;
  let locks = [];
  let now = 0;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const data = () => {
    const panes = window.admitted.map((_, i) => window.from + i * window.paneMillis);
    const times = [...new Set([...sums.keys(), ...panes, now])].sort((a, b) => a - b).filter((at) => at > 0);
    const pane = new Map(panes.map((at, i) => [at, i]));
    return [times.map((at) => at / 1000),
      times.map((at) => sums.get(at) ?? null),
      times.map(() => window.threshold ?? null),
      times.map((at) => window.admitted[pane.get(at)] ?? null),
      times.map((at) => window.rejected[pane.get(at)] ?? null)];
  };

  const shade = (plot) => {
    plot.ctx.save();
    plot.ctx.globalAlpha = 0.15;
    plot.ctx.fillStyle = colour('--bad');
    for (const lock of locks) {
      const from = Math.max(plot.bbox.left, plot.valToPos(lock.since / 1000, 'x', true));
      const to = Math.min(plot.bbox.left + plot.bbox.width, plot.valToPos(Math.min(lock.until, now) / 1000, 'x', true));
      plot.ctx.fillRect(from, plot.bbox.top, Math.max(0, to - from), plot.bbox.height);
    }
    plot.ctx.restore();
  };

  const plot = chart(() => ({
    data: data(),
    options: {
      series: [{},
        {scale: 'sum', stroke: colour('--series-1'), width: 3, spanGaps: true, points: {size: 5}},
        {scale: 'sum', stroke: colour('--bad'), width: 2, dash: [8, 4], points: {show: false}},
        {scale: 'pane', stroke: colour('--series-3'), width: 1, fill: `${colour('--series-3')}55`, points: {show: false}, spanGaps: true},
        {scale: 'pane', stroke: colour('--series-6'), width: 2, dash: [2, 3], points: {show: false}, spanGaps: true}],
      scales: {
        x: {range: (_plot, min, max) => [Math.min(min, max - 60), max]},
        sum: {range: (_plot, _min, max) => [0, Math.max(1, max ?? 1, window.threshold ?? 0) * 1.1]},
        pane: {range: (_plot, _min, max) => [0, Math.max(1, max ?? 1) * 1.1]},
      },
      axes: [{...timeAxis(), incrs: INCREMENTS},
        {...axis(), scale: 'sum', size: 64, values: (_plot, ticks) => ticks.map(number)},
        {...axis(), scale: 'pane', side: 1, grid: {show: false}, values: (_plot, ticks) => ticks.map(number)}],
      hooks: {drawClear: [shade]},
    },
  }), 'Window over time');

  const key = (style, text) => element('li', {}, element('span', {class: `line ${style}`, 'aria-hidden': 'true'}), text);
  return {
    element: element('div', {}, plot.box, element('ul', {class: 'legend'},
      key('l-sum', 'in the window (left axis, since the page was opened)'), key('l-threshold', 'threshold'),
      key('l-admitted', 'admitted per pane (right axis)'), key('l-rejected', 'rejected per pane'), key('l-locked', 'locked'))),
    /** @param {any} next @param {any[]} held its locks @param {number} brokerTime */
    update(next, held, brokerTime) {
      window = next;
      locks = held;
      now = brokerTime;
      sums.set(brokerTime, next.sum);
      if (sums.size > MOST) {
        sums.delete(sums.keys().next().value);
      }
      plot.draw();
    },
    describe: plot.describe,
    close: plot.close,
  };
}
