import {element, keyed, table} from './dom.js';
import {number, percent} from './format.js';
import {callerLink} from './locks.js';
import {onDemandCard} from './ondemand.js';

const SETTINGS = {
  source: 'If something verifies these callers before they are logged: identity: authenticated in this source of sluice.yml.',
  agent: 'If the services verify their callers: agent.identity: authenticated in their settings (Spring Boot: sluice.agent.identity).',
};

/** Sources and callers that are only claimed, so that no policy by caller locks them. It reads the request log, so only on demand. */
export function claimedCard() {
  const sources = table('Sources with claimed callers', ['Source', '#Requests', '#Claimed', 'Setting that makes them lockable']);
  const callers = table('Claimed callers', ['Caller', 'Service', 'Source', '#Requests']);

  function show(answer) {
    const claiming = answer.sources.filter((one) => one.claimed > 0);
    keyed(sources.body, claiming, (one) => one.topic, sourceRow);
    keyed(callers.body, answer.callers, (one) => JSON.stringify([one.topic, one.service, one.caller]), callerRow);
    sources.box.hidden = claiming.length === 0;
    callers.box.hidden = claiming.length === 0;
    return claiming.length === 0 ? 'None of the newest requests has a claimed caller.'
      : `The ${number(answer.callers.length)} busiest of the newest requests. Policies by caller neither count nor lock them; limits of agents apply.`;
  }

  sources.box.hidden = true;
  callers.box.hidden = true;
  const card = onDemandCard('claimed', 'Claimed callers, which can’t be locked', '/claimed', show, sources.box, callers.box);
  card.hidden = true;
  return card;
}

function sourceRow(one) {
  return element('tr', {}, element('th', {scope: 'row'}, one.topic), element('td', {class: 'number'}, number(one.requests)),
    element('td', {class: 'number'}, percent(one.claimed / one.requests)), element('td', {class: 'why'}, SETTINGS[one.setting]));
}

function callerRow(one) {
  return element('tr', {}, element('th', {scope: 'row'}, callerLink([one.caller])), element('td', {}, one.service || '–'), element('td', {}, one.topic),
    element('td', {class: 'number'}, number(one.requests)));
}
