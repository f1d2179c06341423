const BEGIN = ['opened', 'guarded', 'armed', 'changed'];
const END = ['released', 'expired'];

/** @param {any} lock @returns {boolean} whether it rejects nothing */
export const soft = (lock) => lock.shadow === true || lock.guarded === true || lock.mode === 'shadow';

/**
 * When a policy had a subject locked, from the decision log and the locks in force.
 *
 * @param {any[]} entries of /history about the subject, oldest first
 * @param {any[]} locks in force
 * @param {number} now the broker's time, epoch milliseconds
 * @returns {{since: number, until: number, soft: boolean}[]}
 */
export function lockIntervals(entries, locks, now) {
  const intervals = [];
  let open = null;
  /** Where the end was recorded it counts, whatever the lock said when it began: it was renewed since. */
  const end = (at, recorded) => {
    if (open !== null) {
      const {lock, ...interval} = open;
      intervals.push({...interval, until: Math.min(recorded ? at : lock.until, at, now)});
      open = null;
    }
  };
  for (const entry of entries.filter((one) => one.lock)) {
    const at = entry.at ?? entry.appended;
    if (BEGIN.includes(entry.event)) {
      end(at, entry.lock.since === open?.lock.since);
      open = {since: at, lock: entry.lock, soft: soft(entry.lock)};
    } else if (END.includes(entry.event)) {
      end(at, true);
    }
  }
  // of a lock in force the list of locks has the newest end
  if (locks.length === 0) {
    end(now, false);
  }
  return [...intervals, ...locks.map((lock) => ({since: open?.since ?? lock.since, until: Math.min(lock.until, now), soft: soft(lock)}))];
}
