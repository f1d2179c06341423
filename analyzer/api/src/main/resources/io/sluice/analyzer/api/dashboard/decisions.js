import {effect, subjectText, why} from './format.js';

/** Transitions by event; those with an effect on requests get it added. */
const EVENTS = {
  opened: 'locked', guarded: 'held back by the guard', armed: 'enforced, no longer held back', changed: 'changed by its policy',
  released: 'ended early', expired: 'ended',
};
const CAUSES = {
  demand: 'demand fell', debt: 'the debt is paid', policy: 'the policy changed', per: 'the policy counts by other attributes',
  operator: 'released by an operator',
};

/**
 * @typedef {{at: number, policy: string, subject: string, values: string[], what: string, by: string, why: string}} Decision
 * @param {any} entry of /history
 * @returns {Decision} as a row of a list
 */
export function decision(entry) {
  if (entry.lock) {
    const lock = entry.lock;
    return {
      at: entry.at ?? entry.appended, policy: lock.policy, subject: subjectText(lock.subject), values: lock.subject,
      what: (EVENTS[entry.event] ?? entry.event) + (entry.cause ? `: ${CAUSES[entry.cause] ?? entry.cause}` : '')
        + (['opened', 'armed', 'changed'].includes(entry.event) ? `: ${effect(lock)}` : ''),
      by: 'analyzer', why: why(lock.evidence),
    };
  }
  if (entry.type === 'policy-set-change') {
    return {
      at: entry.appended, policy: '', subject: '', values: [], by: entry.author, why: entry.reason,
      what: `policy set ${entry.revision} applied${entry.before === '' ? '' : ` in place of ${entry.before}`}`,
    };
  }
  const [policy, ...subject] = entry.key ?? [entry.policy ?? '', ...entry.subject ?? []];
  const what = entry.type === 'operator-enforce'
    ? `rejection switched ${entry.enforce ? 'on' : 'off'}${entry.agent ? ` at agent ${entry.agent}` : ''}`
    : entry.type === 'operator-release' ? 'released' : `locked: ${effect(entry)}`;
  return {
    at: entry.appended, policy: entry.type === 'operator-enforce' ? '' : policy,
    subject: entry.type === 'operator-enforce' ? '' : subjectText(subject),
    values: entry.type === 'operator-enforce' ? [] : subject, what, by: entry.author, why: entry.reason,
  };
}

/** The begin of a cell that spreadsheets execute: those of locales that separate by semicolon or tab find one behind each of these, quoted or not. */
const FORMULA = /(^|[;\t\r\n])(?=[^\S\t\r\n]*"*[^\S\t\r\n]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** @param {string|number} value @returns {string} one cell of CSV, with an apostrophe before each formula */
const cell = (value) => `"${String(value).replace(FORMULA, "$1'").replaceAll('"', '""')}"`;

/** @param {Decision[]} decisions @returns {string} RFC 4180, with times in UTC */
export function csv(decisions) {
  const rows = decisions.map((one) => [new Date(one.at).toISOString(), one.policy, one.subject, one.what, one.by, one.why]);
  return [['time', 'policy', 'subject', 'what', 'by', 'why'], ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}
