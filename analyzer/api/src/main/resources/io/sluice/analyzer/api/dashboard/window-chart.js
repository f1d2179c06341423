import {axis, chart, colour, INCREMENTS, timeAxis} from './chart.js';
import {element} from './dom.js';
import {number, percent} from './format.js';
import {partOf} from './standing.js';
import {WindowSamples} from './window-samples.js';

const LEFT = 56;
const RIGHT = 64;
const SHARE_HEIGHT = 96;

/**
 * The window of a caller over time: its sum against the threshold and what is usual on the left axis, admitted and rejected requests per second on the
 * right, the time of locks as a shade; below it, on the same time axis, its share of the load.
 *
 * @param {any} first a window of /callers
 */
export function windowChart(first) {
  const samples = new WindowSamples();
  let window = first;
  /** @type {{since: number, until: number, soft: boolean}[]} */
  let locks = [];

  const shade = (plot) => {
    plot.ctx.save();
    plot.ctx.beginPath();
    plot.ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
    plot.ctx.clip();
    for (const lock of locks) {
      const from = plot.valToPos(lock.since / 1000, 'x', true);
      const to = plot.valToPos(lock.until / 1000, 'x', true);
      plot.ctx.globalAlpha = lock.soft ? 0.1 : 0.16;
      plot.ctx.fillStyle = colour(lock.soft ? '--info' : '--bad');
      plot.ctx.fillRect(from, plot.bbox.top, Math.max(1, to - from), plot.bbox.height);
    }
    plot.ctx.restore();
  };
  const x = () => ({range: () => samples.range()});
  const bars = (name) => ({scale: 'rate', fill: colour(name), width: 0, points: {show: false}, paths: globalThis.uPlot.paths.stepped({align: 1}), spanGaps: true});
  const line = (name, width, dash) => ({scale: 'sum', stroke: colour(name), width, dash, points: {show: false}, spanGaps: true});

  const plot = chart(() => ({
    data: samples.rows(),
    options: {
      series: [{}, bars('--chart-rejected'), bars('--chart-admitted'), line('--chart-sum', 2.5), line('--chart-limit', 2, [8, 4]), line('--chart-usual', 2, [2, 4])],
      scales: {
        x: x(),
        sum: {range: (_plot, _min, max) => [0, Math.max(1, max ?? 1) * 1.12]},
        // the bars stay below the lines
        rate: {range: (_plot, _min, max) => [0, Math.max(1, max ?? 1) * 2]},
      },
      axes: [{...timeAxis(), incrs: INCREMENTS},
        {...axis(), scale: 'sum', size: LEFT, values: (_plot, ticks) => ticks.map(number)},
        {...axis(), scale: 'rate', side: 1, size: RIGHT, grid: {show: false}, values: (_plot, ticks) => ticks.map((tick) => `${number(tick)}/s`)}],
      hooks: {drawClear: [shade]},
    },
  }), 'Window over time');

  const share = chart(() => ({
    data: [...samples.shares(), samples.shares()[0].map(() => partOf(window.conditions, 'share')?.allowed ?? null)],
    options: {
      series: [{}, {stroke: colour('--chart-sum'), fill: `${colour('--chart-sum')}33`, width: 2, points: {show: false}},
        {stroke: colour('--chart-limit'), width: 2, dash: [8, 4], points: {show: false}}],
      scales: {x: x(), y: {range: [0, 1]}},
      axes: [{...timeAxis(), incrs: INCREMENTS, size: 24}, {...axis(), size: LEFT, splits: [0, 0.5, 1], values: (_plot, ticks) => ticks.map(percent)},
        {...axis(), side: 1, size: RIGHT, grid: {show: false}, ticks: {show: false}, values: () => []}],
    },
  }), 'Share of the load over time', SHARE_HEIGHT);
  const shareBox = element('div', {}, element('h3', {}, 'Share of the load'), share.box);

  const key = (style, text) => element('li', {}, element('span', {class: `line ${style}`, 'aria-hidden': 'true'}), text);
  const usual = key('l-usual', 'what is usual');
  const limit = key('l-threshold', 'threshold');
  return {
    element: element('div', {}, plot.box, element('ul', {class: 'legend'}, key('l-sum', 'in the window'), limit, usual,
      key('l-admitted', 'admitted per second'), key('l-rejected', 'rejected per second'), key('l-locked', 'locked'), key('l-shadow', 'shadow lock')), shareBox),
    /** @param {any} next @param {{since: number, until: number, soft: boolean}[]} held its locks @param {number} brokerTime */
    update(next, held, brokerTime) {
      window = next;
      locks = held;
      samples.add(next, brokerTime);
      const debt = partOf(next.conditions, 'debt');
      usual.lastChild.textContent = debt ? 'debt' : 'what is usual';
      usual.hidden = !debt && !partOf(next.conditions, 'spike');
      limit.hidden = next.conditions.length === 0;
      shareBox.hidden = samples.shares()[0].length === 0;
      plot.draw();
      if (!shareBox.hidden) {
        share.draw();
      }
    },
    describe: plot.describe,
    close() {
      plot.close();
      share.close();
    },
  };
}
