import {element} from './dom.js';
import {amount, duration, number, percent} from './format.js';

/** Part of what is allowed from which on a caller is near to it. */
const NEAR = 0.8;

/** @param {any[]} conditions of a window of /callers @returns {any[]} their parts */
const parts = (conditions) => conditions.flatMap((condition) => condition.all);

/** @param {any[]} conditions @param {'share'|'spike'|'debt'} detector @returns {any} the first such part, if there is one */
export const partOf = (conditions, detector) => parts(conditions).find((part) => part.detector === detector);

/** @param {any} part @param {any} window @returns {string} the observed and the allowed value, in a sentence */
function sentence(part, window) {
  if (part.observed === undefined) {
    return part.detector === 'spike'
      ? `Not known yet: a baseline takes ten windows of ${duration(window.windowMillis)}, or its whole length. ${number(part.allowed)} times of it is allowed.`
      : `Not known yet: no load has been counted. ${percent(part.allowed)} of it is allowed.`;
  }
  switch (part.detector) {
    case 'share':
      return `${percent(part.observed)} of ${amount(part.load, window.measure)}; ${percent(part.allowed)} is allowed.`;
    case 'spike':
      return `${number(part.observed)} times what is usual, ${amount(part.baseline, window.measure)}; ${number(part.allowed)} times is allowed, `
        + `now ${number(part.limit)}.`;
    case 'debt':
      return `A debt of ${amount(part.observed, window.measure)}; ${number(part.allowed)} is allowed.`;
    default:
      return `${amount(part.observed, window.measure)}; ${number(part.allowed)} is allowed.`;
  }
}

/** @returns {[string, string]} a word, and the class of its tag */
function verdict(part) {
  if (part.observed === undefined) {
    return ['not known', 'plain'];
  }
  return part.holds ? ['over', 'hard'] : part.observed > NEAR * part.allowed ? ['near', 'warn'] : ['within', 'good'];
}

/** @param {any} window of /callers @returns {HTMLElement} the state of each condition of the policy */
export function standings(window) {
  return element('ul', {class: 'standings'}, ...window.conditions.flatMap((condition) => condition.all.map((part, i) => {
    const [word, tag] = verdict(part);
    return element('li', {}, element('span', {class: `tag ${tag}`}, word), element('span', {},
      element('strong', {}, i > 0 ? `and ${part.detector}` : part.detector), ` ${sentence(part, window)}`));
  })));
}
