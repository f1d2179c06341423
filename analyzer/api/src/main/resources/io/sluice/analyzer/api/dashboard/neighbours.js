import {ask} from './api.js';
import {element, empty, keyed, table} from './dom.js';
import {number} from './format.js';
import {callerLink} from './locks.js';

const PATIENCE_MILLIS = 60_000;

/** Who else has the addresses or labels of a caller. It reads the request log, so only on demand. @param {string} caller */
export function neighboursCard(caller) {
  const {box, body} = table('Callers that share an address or a label', ['Attribute', 'Value', '#Other callers', 'Busiest of them']);
  const note = empty('Searches the newest 50,000 requests of the log.');
  const wrong = element('p', {class: 'wrong', role: 'alert'});
  const look = element('button', {type: 'button', id: 'neighbours', async onclick() {
    look.disabled = true;
    wrong.textContent = '';
    note.textContent = 'Reading the request log…';
    try {
      const answer = await ask(`/callers/${encodeURIComponent(caller)}/neighbours`, {signal: AbortSignal.timeout(PATIENCE_MILLIS)});
      keyed(body, answer.shared, (one) => `${one.attribute} ${one.value}`, row);
      box.hidden = answer.shared.length === 0;
      note.textContent = `Of the newest ${number(answer.records)} requests ${number(answer.requests)} are its own.`
        + (answer.shared.length === 0 ? ' No other caller has one of its addresses or labels.' : '');
    } catch (error) {
      note.textContent = '';
      wrong.textContent = `Not found out: ${error.message}`;
    } finally {
      look.disabled = false;
    }
  }}, 'Find them');
  box.hidden = true;
  return element('section', {class: 'card'}, element('div', {class: 'head'},
    element('h2', {}, 'Who shares its address or a label'), look), note, wrong, box);
}

function row(one) {
  return element('tr', {}, element('td', {}, one.attribute), element('th', {scope: 'row'}, one.value),
    element('td', {class: 'number'}, number(one.others)),
    element('td', {class: 'why'}, ...one.callers.flatMap((other, i) => [i === 0 ? '' : ', ', callerLink([other.caller]), ` (${number(other.requests)})`])));
}
