import {element, keyed, table} from './dom.js';
import {number} from './format.js';
import {callerLink} from './locks.js';
import {onDemandCard} from './ondemand.js';

/** Who else has the addresses or labels of a caller. @param {string} caller */
export function neighboursCard(caller) {
  const {box, body} = table('Callers that share an address or a label', ['Attribute', 'Value', '#Other callers', 'Busiest of them']);
  box.hidden = true;
  return onDemandCard('neighbours', 'Who shares its address or a label', `/callers/${encodeURIComponent(caller)}/neighbours`, (answer) => {
    keyed(body, answer.shared, (one) => `${one.attribute} ${one.value}`, row);
    box.hidden = answer.shared.length === 0;
    return `Of the newest ${number(answer.records)} requests ${number(answer.requests)} are its own.`
      + (answer.shared.length === 0 ? ' No other caller has one of its addresses or labels.' : '');
  }, box);
}

function row(one) {
  return element('tr', {}, element('td', {}, one.attribute), element('th', {scope: 'row'}, one.value),
    element('td', {class: 'number'}, number(one.others)),
    element('td', {class: 'why'}, ...one.callers.flatMap((other, i) => [i === 0 ? '' : ', ', callerLink([other.caller]), ` (${number(other.requests)})`])));
}
