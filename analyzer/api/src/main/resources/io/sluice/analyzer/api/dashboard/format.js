const whole = new Intl.NumberFormat(undefined, {maximumFractionDigits: 0});
const fine = new Intl.NumberFormat(undefined, {maximumFractionDigits: 1});
const share = new Intl.NumberFormat(undefined, {style: 'percent', maximumFractionDigits: 1});
const clock = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit'});
const date = new Intl.DateTimeFormat(undefined, {dateStyle: 'medium', timeStyle: 'medium'});

/** @param {number} value @returns {string} grouped; a decimal place below 100 */
export const number = (value) => (Math.abs(value) < 100 ? fine : whole).format(value);

/** @param {number} value from 0 to 1 */
export const percent = (value) => share.format(value);

/** @param {number} millis since the epoch @returns {string} in the reader's zone */
export const time = (millis) => clock.format(new Date(millis));

/** @param {number} millis since the epoch @returns {string} in the reader's zone */
export const dateTime = (millis) => date.format(new Date(millis));

/** @param {string[]} subject @returns {string} one line */
export const subjectText = (subject) => subject.length === 0 ? 'all callers' : subject.join(' · ');

/** @param {number} millis @returns {string} like 1 h 5 min */
export function duration(millis) {
  const seconds = Math.max(0, Math.round(millis / 1000));
  if (seconds < 60) {
    return millis < 1000 && millis > 0 ? `${Math.round(millis)} ms` : `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** @param {number} value @param {string} measure @returns {string} like 120 requests */
export function amount(value, measure) {
  if (measure.startsWith('distinct ')) {
    return `${number(value)} different values of ${measure.slice(9)}`;
  }
  return `${number(value)} ${measure === 'millis' ? 'ms of service time' : measure}`;
}

/**
 * @param {any} evidence of a lock; missing in records of operators
 * @returns {string} why it is locked, in a sentence
 */
export function why(evidence) {
  if (!evidence) {
    return 'The record has no evidence.';
  }
  const span = `in ${duration(evidence.windowMillis)}`;
  const sum = amount(evidence.sum ?? evidence.observed, evidence.measure);
  switch (evidence.detector) {
    case 'share':
      return `It used ${percent(evidence.observed)} of ${amount(evidence.load ?? 0, evidence.measure)} ${span}; `
        + `${percent(evidence.threshold)} is allowed.`;
    case 'spike':
      return `It made ${sum} ${span}, ${number(evidence.observed)} times its baseline; `
        + `${number(evidence.threshold)} times is allowed.`;
    case 'debt':
      return `It has a debt of ${amount(evidence.observed, evidence.measure)}; ${number(evidence.threshold)} is allowed.`;
    default:
      return `It made ${sum} ${span}; ${number(evidence.threshold)} is allowed.`;
  }
}

/** @param {any} lock @returns {string} its effect on requests */
export function effect(lock) {
  const seen = {
    block: 'blocked',
    throttle: `throttled to ${number(lock.rate ?? 0)}/s`,
    shed: `sheds ${percent(lock.ratio ?? 0)}`,
    shadow: 'shadow: nothing is rejected',
    released: 'released',
  }[lock.mode] ?? lock.mode;
  if (lock.guarded) {
    return 'held back by the guard';
  }
  return lock.shadow ? 'shadow: nothing is rejected' : seen;
}
