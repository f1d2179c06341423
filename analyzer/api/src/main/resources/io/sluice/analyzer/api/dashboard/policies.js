import {ask} from './api.js';
import {element, empty, keyed, table} from './dom.js';
import {duration, number} from './format.js';
import {nearestCard} from './nearest.js';
import {revisionsCard} from './revisions.js';
import {trialCard} from './trial.js';

/** The policy set in force; of one policy the subjects nearest to its threshold, and a trial of others. @param {string[]} rest @returns {import('./app.js').View} */
export function policiesView(rest) {
  const {box, body} = table('Policies', ['Policy', 'State', 'Counts per', 'Rule', '#Rejections', '#Would reject']);
  const revision = element('p', {class: 'hint'});
  const unknown = empty('');
  const nearest = nearestCard();
  const revisions = revisionsCard();
  const tried = element('div', {class: 'view'});
  /** @type {ReturnType<typeof trialCard>|null} */
  let trial = null;
  let triedKey = '';

  async function refresh(state) {
    const status = await state;
    // without policies the question for them is answered with 404, which the console shows as an error
    const [set, rejections] = await Promise.all([status.revision === '' ? {policies: [], revision: ''} : ask('/policies'), ask('/policies/rejections')]);
    revision.textContent = set.revision === '' ? 'No policies are in force. Publish some: ./sluice policies apply policies.yml.'
      : `Revision ${set.revision}. Rejections are counted by ${number(rejections.agents)} agents since the start of each.`;
    keyed(body, set.policies.map((policy) => ({policy, state: stateOf(policy, status),
      rejected: rejections.rejected[policy.name] ?? 0, would: rejections.wouldReject[policy.name] ?? 0})),
    (one) => one.policy.name, row);
    box.hidden = set.policies.length === 0;
    const chosen = set.policies.find((policy) => rest[0] ? policy.name === rest[0] : policy.lock !== undefined);
    unknown.textContent = rest[0] && chosen === undefined && set.policies.length > 0 ? `No policy named ${rest[0]} is in force. Choose one of the list.` : '';
    nearest.element.hidden = chosen === undefined;
    revisions.element.hidden = set.revision === '';
    show(set, chosen);
    await Promise.all([chosen === undefined ? null : nearest.refresh(chosen), revisions.refresh(set.revision)]);
  }

  /** A trial stays as it is until another set is in force. */
  function show(set, chosen) {
    const key = chosen?.lock === undefined ? '' : `${set.revision} ${chosen.name}`;
    if (key !== triedKey) {
      triedKey = key;
      trial?.close();
      trial = key === '' ? null : trialCard(set, chosen.name);
      tried.replaceChildren(...trial === null ? [] : [trial.element]);
    }
  }

  return {
    title: 'Policies',
    element: element('div', {class: 'view'}, element('h1', {}, 'Policies'),
      element('section', {class: 'card'}, revision, box, unknown), nearest.element, tried, revisions.element),
    refresh,
    close: () => trial?.close(),
  };
}

/** A policy is armed when one of its locks or limits, those of overrides included, rejects. @returns {'armed'|'not enforced'|'shadow'} */
export function stateOf(policy, status) {
  const armed = [policy, ...policy.overrides ?? []].some(({lock, limit}) =>
    (lock && lock.mode !== 'shadow' && !lock.shadow) || (limit && !limit.shadow));
  return !armed ? 'shadow' : status.enforce ? 'armed' : 'not enforced';
}

/** @param {any} value a part of the policy file @returns {string} in one line */
function text(value) {
  if (Array.isArray(value)) {
    return value.length === 0 ? 'all requests' : value.map(text).join(', ');
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
    // what is as usual says nothing
    const {scope, shadow, onDegraded, ...limit} = policy.limit;
    parts.push(`limits ${text({...limit, ...scope === 'agent' ? {} : {scope}, ...shadow ? {shadow} : {}, ...onDegraded === 'local' ? {} : {onDegraded}})}`);
  }
  return parts.join('; ') + (policy.window === undefined || !policy.lock ? '' : `, window ${typeof policy.window === 'number' ? duration(policy.window) : policy.window}`);
}

function row(one) {
  return element('tr', {},
    element('th', {scope: 'row'}, element('a', {href: `#/policies/${encodeURIComponent(one.policy.name)}`}, one.policy.name)),
    element('td', {}, element('span', {class: `tag ${one.state === 'armed' ? 'good' : 'soft'}`}, one.state)),
    element('td', {}, text(one.policy.per ?? [])),
    element('td', {class: 'why'}, rule(one.policy)),
    element('td', {class: 'number'}, number(one.rejected)),
    element('td', {class: 'number'}, number(one.would)));
}
