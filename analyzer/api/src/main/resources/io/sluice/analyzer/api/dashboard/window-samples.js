import {partOf} from './standing.js';

/** Samples of the sum, and panes, that are kept: the oldest leave first. */
const MOST = 400;
const MOST_PANES = 4_000;
/** Bars are no narrower, or a steady flow looks ragged. */
const LEAST_BAR_MILLIS = 1_000;
const BARS_OF_A_WINDOW = 60;

const trim = (map, most) => {
  for (const key of map.keys()) {
    if (map.size <= most) {
      return;
    }
    map.delete(key);
  }
};

/** Samples of a caller's window: sums since the page was opened and, from the stored panes, for up to one window before. */
export class WindowSamples {
  /** @type {Map<number, {sum: number, limit: number|null, usual: number|null, share: number|null}>} by time, epoch milliseconds */
  #samples = new Map();

  /** @type {Map<number, [number, number]>} requests admitted and rejected, by the begin of the pane */
  #panes = new Map();

  #window;

  #now = 0;

  /** @param {any} window of /callers @param {number} now the broker's time, epoch milliseconds */
  add(window, now) {
    if (this.#samples.size === 0) {
      this.#backfill(window);
    }
    this.#window = window;
    this.#now = now;
    [window.earlier, window].forEach((from) => from?.admitted.forEach((admitted, i) =>
      this.#panes.set(from.from + i * window.paneMillis, [admitted, from.rejected[i]])));
    trim(this.#panes, MOST_PANES);
    this.#samples.set(now, {
      sum: window.sum, limit: window.limit ?? null, share: window.share ?? null,
      usual: partOf(window.conditions, 'spike')?.baseline ?? partOf(window.conditions, 'debt')?.observed ?? null,
    });
    trim(this.#samples, MOST);
  }

  /** Sliding sums of the stored panes. Numbers of different values cannot be added. */
  #backfill(window) {
    if (!window.earlier || window.measure.startsWith('distinct ')) {
      return;
    }
    const fixed = window.conditions.every((condition) => condition.all.every((part) => part.detector === 'above'));
    const limit = fixed ? window.limit ?? null : null;
    const panes = window.amounts.length;
    const all = [...window.earlier.amounts, ...window.amounts];
    let sum = window.earlier.amounts.reduce((total, value) => total + value, 0);
    for (let i = panes; i < all.length; i++) {
      sum += all[i] - all[i - panes];
      this.#samples.set(window.from + (i - panes + 1) * window.paneMillis, {sum, limit, usual: null, share: null});
    }
  }

  /** Bars of requests per second: the begin of each, what was admitted, and all. The newest one is left out until it is over. */
  #bars() {
    const {paneMillis, windowMillis} = this.#window;
    const length = paneMillis * Math.ceil(Math.max(LEAST_BAR_MILLIS, windowMillis / BARS_OF_A_WINDOW) / paneMillis);
    const bars = new Map();
    for (const [at, [admitted, rejected]] of this.#panes) {
      const begin = Math.floor(at / length) * length;
      const [a, b] = bars.get(begin) ?? [0, 0];
      bars.set(begin, [a + admitted, b + admitted + rejected]);
    }
    const whole = [...bars].filter(([begin]) => begin + length <= this.#now).sort(([a], [b]) => a - b);
    const seconds = length / 1000;
    const rows = whole.map(([begin, [admitted, all]]) => [begin, admitted / seconds, all / seconds]);
    // the last bar has its width from a point at its end
    return rows.length === 0 ? rows : [...rows, [rows[rows.length - 1][0] + length, ...rows[rows.length - 1].slice(1)]];
  }

  /** @returns {[number, number]} of all that is drawn, in seconds */
  range() {
    const first = Math.min(this.#now, ...this.#samples.keys(), ...this.#panes.size > 0 ? [this.#panes.keys().next().value] : []);
    return [Math.min(first, this.#now - 10_000) / 1000, this.#now / 1000];
  }

  /** @returns {(number|null)[][]} seconds, all requests, admitted ones, the sum, its limit, what is usual */
  rows() {
    const bars = new Map(this.#bars().map(([at, admitted, all]) => [at, [all, admitted]]));
    const times = [...new Set([...bars.keys(), ...this.#samples.keys()])].sort((a, b) => a - b);
    const bar = (i) => times.map((at) => bars.get(at)?.[i]);
    const line = (name) => times.map((at) => this.#samples.get(at)?.[name]);
    return [times.map((at) => at / 1000), bar(0), bar(1), line('sum'), line('limit'), line('usual')];
  }

  /** @returns {(number|null)[][]} seconds, and the share of the load */
  shares() {
    const known = [...this.#samples].filter(([, sample]) => sample.share !== null);
    return [known.map(([at]) => at / 1000), known.map(([, sample]) => sample.share)];
  }
}
