import {ask} from './api.js';
import {element, empty, keyed, table} from './dom.js';
import {duration, number} from './format.js';

/** Agents of a page. */
const PAGE = 200;
/** Processes with one id that are counted. */
const MOST_PROCESSES = 16;

/** The gate agents, by service and name. @param {string[]} _rest @param {URLSearchParams} query @returns {import('./app.js').View} */
export function agentsView(_rest, query) {
  const {box, body} = table('Agents', ['Agent', 'State', 'Last heartbeat', '#Locks', '#Checks', '#Rejections', '#Lost log entries']);
  const none = empty('No agent has sent a heartbeat within the last hour. Add an agent to a service, and check that it reaches Kafka: ./sluice doctor.');
  const pages = element('p', {class: 'row'});
  none.hidden = true;

  async function refresh() {
    const after = query.get('after');
    const answer = await ask(`/agents?limit=${PAGE}${after === null ? '' : `&after=${encodeURIComponent(after)}`}`);
    // whole seconds, so that a row changes once a heartbeat
    const rows = answer.agents.map((agent) => ({...agent, ago: Math.floor((answer.brokerTime - agent.heard) / 1000)}));
    keyed(body, rows, (agent) => JSON.stringify([agent.service, agent.agent]), row);
    box.hidden = rows.length === 0;
    none.hidden = rows.length > 0;
    keyed(pages, [...after === null ? [] : [{href: '#/agents', text: 'First page'}],
      ...answer.next === undefined ? [] : [{href: `#/agents?${new URLSearchParams({after: answer.next})}`, text: 'Next page'}]],
    (link) => link.text, (link) => element('a', {href: link.href}, link.text));
  }

  return {
    title: 'Agents',
    element: element('div', {class: 'view'}, element('h1', {}, 'Agents'), element('section', {class: 'card'}, box, none, pages)),
    refresh,
  };
}

function row(agent) {
  const fresh = agent.alive && agent.freshness === 'fresh' && agent.reasons === undefined && agent.processes === undefined;
  return element('tr', {},
    element('th', {scope: 'row'}, agent.agent, element('span', {class: 'sub'}, agent.service)),
    element('td', {}, element('span', {class: `tag ${fresh ? 'good' : 'warn'}`}, agent.alive ? agent.freshness : 'silent'),
      agent.unanswered && element('span', {class: 'sub'}, `no answer from ${agent.unanswered.join(', ')}`),
      agent.processes && element('span', {class: 'sub'}, `${agent.processes}${agent.processes === MOST_PROCESSES ? ' or more' : ''} processes have this id`),
      agent.reasons && element('span', {class: 'sub'}, agent.reasons.join(', '))),
    element('td', {}, `${duration(agent.ago * 1000)} ago`),
    ...[agent.locks, agent.checks, agent.rejections, agent.drops].map((value) => element('td', {class: 'number'}, number(value))));
}
