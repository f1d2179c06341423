/** Samples that are kept: ten minutes of one every two seconds. */
const MOST = 300;

/**
 * @typedef {{at: number, total: number, callers: Map<string, number>}} Sample
 *   seconds since the epoch, requests per minute of all, and of each of the busiest
 */

/** @param {{per: string[], subject: string[]}} caller @returns {string} */
export const callerKey = (caller) => JSON.stringify([caller.per, caller.subject]);

/**
 * Subjects that share no requests: those by caller, without any those of the busiest row's kind. A request counts for its caller, its address and
 * both together.
 *
 * @param {any[]} rows of /callers/top
 */
export function sameKind(rows) {
  const byCaller = rows.filter((row) => row.per.length === 1 && row.per[0] === 'caller');
  return byCaller.length > 0 || rows.length === 0 ? byCaller : rows.filter((row) => row.per.join() === rows[0].per.join());
}

/** What the page has seen of the busiest callers. It survives a change of the view, not of the page. */
class Samples {
  /** @type {Sample[]} */
  list = [];

  /** @type {(string|null)[]} the caller of each colour */
  slots = new Array(7).fill(null);

  /** @param {any} top the answer of /callers/top */
  add(top) {
    const callers = new Map();
    sameKind(top.callers).forEach((caller) => callers.set(callerKey(caller), caller.requests));
    const seen = [...callers.values()].reduce((sum, value) => sum + value, 0);
    const total = Math.max(seen, ...top.totals.filter((one) => one.measure === 'requests').map((one) => one.offered));
    const at = top.brokerTime / 1000;
    // pages share answers, and a chart can't draw two samples of one time
    while (this.list.length > 0 && this.list[this.list.length - 1].at >= at) {
      this.list.pop();
    }
    this.list.push({at, total, callers});
    if (this.list.length > MOST) {
      this.list.shift();
    }
    this.#colour(callers);
  }

  /** A caller keeps its colour as long as it is among the busiest. */
  #colour(callers) {
    const busiest = [...callers].sort((a, b) => b[1] - a[1]).slice(0, this.slots.length).map(([key]) => key);
    this.slots = this.slots.map((key) => busiest.includes(key) ? key : null);
    busiest.filter((key) => !this.slots.includes(key)).forEach((key) => {
      this.slots[this.slots.indexOf(null)] = key;
    });
  }

  /** @returns {number[][]} x, then running sums from the first slot up; the last is the total */
  stacked() {
    // one point has no width: it is shown as the two seconds before it
    const list = this.list.length === 1 ? [{...this.list[0], at: this.list[0].at - 2}, this.list[0]] : this.list;
    const rows = [list.map((sample) => sample.at)];
    let below = list.map(() => 0);
    for (const key of this.slots) {
      below = list.map((sample, i) => below[i] + (key === null ? 0 : sample.callers.get(key) ?? 0));
      rows.push(below);
    }
    rows.push(list.map((sample, i) => Math.max(sample.total, below[i])));
    return rows;
  }
}

export const samples = new Samples();
