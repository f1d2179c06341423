import {ask} from './api.js';
import {element, empty, keyed, table} from './dom.js';
import {dateTime, number} from './format.js';

/** Each question reads Kafka, so it is asked seldom. */
const EVERY_MILLIS = 15_000;

/** Records that could not be read, without their content. @returns {import('./app.js').View} */
export function lettersView() {
  const {box, body} = table('Dead letters', ['Time', 'Reason', 'Record', '#Bytes', 'Show it']);
  const none = empty('No record was dead-lettered: all that sources have sent could be read.');
  let due = 0;
  return {
    title: 'Dead letters',
    element: element('div', {class: 'view'}, element('h1', {}, 'Dead letters'),
      element('section', {class: 'card'},
        element('p', {class: 'hint'}, 'The newest 100 records that could not be read. The content is shown by the command alone; '
          + './sluice dead-letters retry reads them again after a correction of sluice.yml.'), box, none)),
    async refresh() {
      if (Date.now() < due) {
        return;
      }
      due = Date.now() + EVERY_MILLIS;
      const answer = await ask('/dead-letters?limit=100');
      keyed(body, answer.letters, (letter) => letter.id, row);
      box.hidden = answer.letters.length === 0;
      none.hidden = answer.letters.length > 0;
    },
  };
}

function row(letter) {
  const length = Number(letter.length);
  return element('tr', {}, element('td', {}, dateTime(letter.appended)), element('td', {class: 'why'}, letter.reason),
    element('th', {scope: 'row'}, `${letter.topic}-${letter.partition}@${letter.offset}`),
    element('td', {class: 'number'}, length >= 0 ? number(length) : '–'),
    element('td', {}, element('code', {}, `./sluice dead-letters show ${letter.id}`)));
}
