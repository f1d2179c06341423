import {ask} from './api.js';
import {element, empty} from './dom.js';

const PATIENCE_MILLIS = 60_000;

/**
 * A card with a question about the newest requests. To answer it the analyzer reads the request log, so it is asked on demand.
 * @param {string} id of the button
 * @param {string} heading
 * @param {string} path what is asked, below the API's address
 * @param {(answer: any) => string} show shows an answer in the boxes, and returns a sentence about it
 * @param {...HTMLElement} boxes below the sentence
 */
export function onDemandCard(id, heading, path, show, ...boxes) {
  const note = empty('Searches the newest 50,000 requests of the log.');
  const wrong = element('p', {class: 'wrong', role: 'alert'});
  const look = element('button', {type: 'button', id, async onclick() {
    look.disabled = true;
    wrong.textContent = '';
    note.textContent = 'Reading the request log…';
    try {
      note.textContent = show(await ask(path, {signal: AbortSignal.timeout(PATIENCE_MILLIS)}));
    } catch (error) {
      note.textContent = '';
      wrong.textContent = `Not found out: ${error.message}`;
    } finally {
      look.disabled = false;
    }
  }}, 'Find them');
  return element('section', {class: 'card'}, element('div', {class: 'head'}, element('h2', {}, heading), look), note, wrong, ...boxes);
}
