import {ask} from './api.js';
import {element, empty, keyed, table} from './dom.js';
import {dateTime, number} from './format.js';

/** Each question reads Kafka, so it is asked seldom. */
const EVERY_MILLIS = 15_000;

/** Records that could not be read, by reason. @returns {import('./app.js').View} */
export function lettersView() {
  const reasons = table('Dead letters by reason', ['Reason', '#Records', 'Newest', 'Begins with']);
  const {box, body} = table('Dead letters', ['Time', 'Reason', 'Record', '#Bytes', 'Show it']);
  const none = empty('No record was dead-lettered: all that sources have sent could be read.');
  const list = element('section', {class: 'card', hidden: true}, element('h2', {}, 'Newest'), box);
  none.hidden = true;
  let due = 0;
  return {
    title: 'Dead letters',
    element: element('div', {class: 'view'}, element('h1', {}, 'Dead letters'),
      element('section', {class: 'card'},
        element('p', {class: 'hint'}, 'The newest 100 records that could not be read. What is not printable is escaped. '
          + './sluice dead-letters retry reads them again after a correction of sluice.yml.'), reasons.box, none),
      list),
    async refresh() {
      if (Date.now() < due) {
        return;
      }
      due = Date.now() + EVERY_MILLIS;
      const answer = await ask('/dead-letters?limit=100').catch((error) => {
        due = 0;
        throw error;
      });
      keyed(reasons.body, byReason(answer.letters), (one) => one.reason, reasonRow);
      keyed(body, answer.letters, (letter) => letter.id, row);
      list.hidden = answer.letters.length === 0;
      reasons.box.hidden = answer.letters.length === 0;
      none.hidden = answer.letters.length > 0;
    },
  };
}

/** The same thing wrong at another byte is the same reason. */
function byReason(letters) {
  const found = new Map();
  for (const letter of letters) {
    const reason = letter.reason.replace(/(byte )\d+|^\d+(?= bytes)/g, '$1N');
    const one = found.get(reason) ?? {reason, count: 0, newest: letter.appended, sample: letter.sample};
    found.set(reason, {...one, count: one.count + 1});
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function reasonRow(one) {
  return element('tr', {}, element('th', {scope: 'row'}, one.reason), element('td', {class: 'number'}, number(one.count)),
    element('td', {class: 'time'}, dateTime(one.newest)), element('td', {class: 'why'}, one.sample === '' ? '–' : element('code', {}, one.sample)));
}

function row(letter) {
  const length = Number(letter.length);
  return element('tr', {}, element('td', {class: 'time'}, dateTime(letter.appended)), element('td', {class: 'why'}, letter.reason),
    element('th', {scope: 'row'}, `${letter.topic}-${letter.partition}@${letter.offset}`),
    element('td', {class: 'number'}, length >= 0 ? number(length) : '–'),
    element('td', {}, element('code', {}, `./sluice dead-letters show ${letter.id}`)));
}
