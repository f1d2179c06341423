import {ask} from './api.js';
import {element, empty, keyed, table} from './dom.js';
import {dateTime} from './format.js';

const WHAT = {new: 'added', gone: 'removed', changed: 'changed'};

/** Differences of the policy set in force from the one before it. */
export function revisionsCard() {
  const {box, body} = table('Last change of the policies', ['Policy', 'What', 'Field', 'Before', 'Now']);
  const note = empty('');
  let of = null;
  return {
    element: element('section', {class: 'card'}, element('h2', {}, 'Last change'), note, box),
    /** @param {string} revision in force, empty for none */
    async refresh(revision) {
      if (revision === of) {
        return;
      }
      const answer = revision === '' ? {} : await ask('/policies/changes');
      of = revision;
      const rows = answer.previous ? rowsOf(answer) : [];
      keyed(body, rows, (one) => `${one.policy} ${one.field}`, row);
      box.hidden = rows.length === 0;
      note.textContent = answer.previous
        ? `Revision ${answer.previous.revision} was replaced ${dateTime(answer.since)}.${rows.length === 0 ? ' Only the order of the policies has changed.' : ''}`
        : 'This instance has seen no earlier revision. Kafka keeps the newest alone.';
    },
  };
}

function rowsOf(answer) {
  const fields = (policy, what, list) => list.map((field) => ({policy, what, field: field.name, before: field.before ?? '–', after: field.after ?? '–'}));
  return [...fields('all', 'changed', answer.set), ...answer.policies.flatMap((one) => one.fields.length === 0
    ? [{policy: one.policy, what: WHAT[one.what], field: '', before: '', after: ''}]
    : fields(one.policy, `${WHAT[one.what]}${one.restarts ? ', its windows began anew' : ''}`, one.fields))];
}

function row(one) {
  return element('tr', {}, element('th', {scope: 'row'}, one.policy), element('td', {}, one.what), element('td', {}, one.field),
    element('td', {class: 'why'}, element('code', {}, one.before)), element('td', {class: 'why'}, element('code', {}, one.after)));
}
