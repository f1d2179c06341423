import {ask} from './api.js';
import {element, empty, keyed, table} from './dom.js';
import {amount, duration, number, percent} from './format.js';
import {callerLink} from './locks.js';

/** Subjects whose windows are read for the policy that is selected. */
const NEAREST = 5;

/** The policy set in force; of one policy the callers nearest to its threshold. @param {string[]} rest @returns {import('./app.js').View} */
export function policiesView(rest) {
  const {box, body} = table('Policies', ['Policy', 'State', 'Counts per', 'Rule', '#Rejections', '#Would reject']);
  const near = table('Nearest to the threshold', ['Caller', '#In the window', '#Threshold', 'Used']);
  const title = element('h2', {});
  const note = empty('');
  const revision = element('p', {class: 'hint'});
  const section = element('section', {class: 'card', 'aria-live': 'off'}, title, near.box, note);

  async function refresh() {
    const [set, agents, status] = await Promise.all([
      ask('/policies').catch((error) => error.status === 404 ? {policies: [], revision: ''} : Promise.reject(error)),
      ask('/agents'), ask('/status')]);
    revision.textContent = set.revision === '' ? 'No policies are in force. Publish some: ./sluice policies apply policies.yml.'
      : `Revision ${set.revision}. Rejections are counted by the agents since their start.`;
    const sum = (field, name) => agents.agents.reduce((all, agent) => all + (agent[field]?.[name] ?? 0), 0);
    keyed(body, set.policies.map((policy) => ({policy, state: state(policy, status),
      rejected: sum('rejectedByPolicy', policy.name), would: sum('wouldRejectByPolicy', policy.name)})),
    (one) => one.policy.name, row);
    box.hidden = set.policies.length === 0;
    const chosen = set.policies.find((policy) => rest[0] ? policy.name === rest[0] : policy.lock !== undefined);
    section.hidden = chosen === undefined;
    if (chosen !== undefined) {
      await nearest(chosen);
    }
  }

  async function nearest(policy) {
    title.textContent = `Nearest to the threshold of ${policy.name}`;
    if (policy.lock === undefined) {
      keyed(near.body, [], String, row);
      near.box.hidden = true;
      note.hidden = false;
      note.textContent = 'It has no lock: each agent applies its limit by itself, and the analyzer counts nothing for it.';
      return;
    }
    const top = await ask(`/callers/top?${new URLSearchParams({policy: policy.name, limit: NEAREST})}`);
    const windows = await Promise.all(top.callers.map((caller) =>
      ask(`/callers?${new URLSearchParams([['policy', policy.name], ...caller.subject.map((value) => ['subject', value])])}`)));
    const rows = windows.flatMap((one) => one.windows)
      .sort((a, b) => b.sum / (b.threshold ?? Infinity) - a.sum / (a.threshold ?? Infinity) || b.sum - a.sum)
      .map((one) => ({subject: one.subject, policy: one.policy, sum: one.sum, measure: one.measure, threshold: one.threshold}));
    keyed(near.body, rows, (one) => JSON.stringify(one.subject), nearRow);
    near.box.hidden = rows.length === 0;
    note.hidden = rows.length > 0;
    note.textContent = 'It has counted no request within about the last minute.';
  }

  return {
    title: 'Policies',
    element: element('div', {class: 'view'}, element('h1', {}, 'Policies'),
      element('section', {class: 'card'}, revision, box), section),
    refresh,
  };
}

function state(policy, status) {
  if (policy.lock?.mode === 'shadow' || policy.shadow === true || policy.lock?.shadow === true) {
    return 'shadow';
  }
  return status.enforce ? 'armed' : 'not enforced';
}

/** @param {any} value a part of the policy file @returns {string} in one line */
function text(value) {
  if (Array.isArray(value)) {
    return value.map(text).join(', ');
  }
  return value !== null && typeof value === 'object'
    ? Object.entries(value).map(([name, part]) => `${name} ${text(part)}`).join(', ') : String(value);
}

function rule(policy) {
  const parts = [];
  if (policy.lock) {
    parts.push(`locks when ${(policy.lock.when ?? []).map(text).join(' or ')}`);
  }
  if (policy.limit) {
    parts.push(`limits: ${text(policy.limit)}`);
  }
  return parts.join('; ') + (policy.window === undefined ? '' : `, window ${typeof policy.window === 'number' ? duration(policy.window) : policy.window}`);
}

function row(one) {
  return element('tr', {},
    element('th', {scope: 'row'}, element('a', {href: `#/policies/${encodeURIComponent(one.policy.name)}`}, one.policy.name)),
    element('td', {}, element('span', {class: `tag ${one.state === 'armed' ? 'good' : 'soft'}`}, one.state)),
    element('td', {}, text(one.policy.per ?? []) || 'all requests'),
    element('td', {class: 'why'}, rule(one.policy)),
    element('td', {class: 'number'}, number(one.rejected)),
    element('td', {class: 'number'}, number(one.would)));
}

function nearRow(one) {
  const used = one.threshold > 0 ? one.sum / one.threshold : null;
  return element('tr', {},
    element('th', {scope: 'row'}, callerLink(one.subject, undefined, one.policy)),
    element('td', {class: 'number'}, amount(one.sum, one.measure)),
    element('td', {class: 'number'}, one.threshold === undefined ? 'depends on others' : number(one.threshold)),
    element('td', {}, used === null ? '–' : element('span', {},
      element('meter', {min: 0, max: 1, high: 0.8, optimum: 0, value: Math.min(1, used), 'aria-label': 'used'}), ` ${percent(used)}`)));
}
