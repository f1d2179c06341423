import {element} from './dom.js';
import {number, time} from './format.js';

const HEIGHT = 260;
/** Of the time axis, so that the first samples are no wall. */
const LEAST_SECONDS = 10;
/** Room at the right for half a label of the time axis, in CSS pixels. */
export const MARGIN = 40;
/** The bottom line is the first slot; areas are painted from the largest sum down, so that each covers what lies below. */
export const SLOTS = 7;

/** @param {string} name of a custom property @returns {string} its value in the theme */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @returns {any} an axis in the colours of the theme */
export const axis = () => ({
  stroke: colour('--muted'), grid: {stroke: colour('--line'), width: 1}, ticks: {stroke: colour('--line'), width: 1},
});

/**
 * A chart that follows the width of its box and the theme.
 *
 * @param {() => {options: any, data: any[]}} content called for each drawing
 * @param {string} label for screen readers
 * @param {number} [height] in CSS pixels
 */
export function chart(content, label, height = HEIGHT) {
  const box = element('div', {class: height < HEIGHT ? 'chart low' : 'chart', role: 'img', 'aria-label': label});
  let plot = null;
  const build = () => {
    plot?.destroy();
    const {options, data} = content();
    plot = new window.uPlot({height, legend: {show: false}, cursor: {show: false}, ...options,
      width: Math.max(240, box.clientWidth)}, data, box);
  };
  const resize = new ResizeObserver(() => {
    if (box.clientWidth > 0 && plot !== null && plot.width !== box.clientWidth) {
      plot.setSize({width: box.clientWidth, height});
    }
  });
  resize.observe(box);
  document.addEventListener('themechange', build);
  return {
    box,
    draw() {
      if (box.isConnected) {
        plot === null ? build() : plot.setData(content().data);
      }
    },
    rebuild() {
      if (box.isConnected) {
        build();
      }
    },
    /** @param {string} text */
    describe: (text) => box.setAttribute('aria-label', text),
    close() {
      resize.disconnect();
      document.removeEventListener('themechange', build);
      plot?.destroy();
    },
  };
}

/** @returns {any} an axis of times in the reader's zone */
export const timeAxis = () => ({...axis(), space: 90, values: (_plot, ticks) => ticks.map((at) => time(at * 1000))});

/** Times in whole seconds, so that labels differ. */
export const INCREMENTS = [1, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];

/** @param {() => number[][]} rows of Samples.stacked @param {string} label */
export function stackedChart(rows, label) {
  return chart(() => {
    const [x, ...sums] = rows();
    const series = sums.map((_, i) => ({
      fill: colour(i < SLOTS ? `--series-${i + 1}` : '--series-rest'), stroke: colour('--surface'), width: 1,
      points: {show: false},
    })).reverse();
    return {
      data: [x, ...sums.reverse()],
      options: {
        padding: [null, MARGIN, null, null],
        series: [{}, ...series],
        scales: {x: {range: (_plot, min, max) => [Math.min(min, max - LEAST_SECONDS), max]}, y: {range: (_plot, _min, max) => [0, Math.max(10, max * 1.1)]}},
        axes: [{...timeAxis(), incrs: INCREMENTS}, {...axis(), size: 64, values: (_plot, ticks) => ticks.map(number)}],
      },
    };
  }, label);
}
