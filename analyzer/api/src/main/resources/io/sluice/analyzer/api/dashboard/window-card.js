import {element} from './dom.js';
import {amount, duration, number, percent} from './format.js';
import {partOf, standings} from './standing.js';
import {windowChart} from './window-chart.js';

/** One policy's window of a caller: the state of each condition, and the window over time. @param {any} first a window of /callers */
export function windowCard(first) {
  const text = element('p', {class: 'hint'});
  const says = element('div');
  const plot = windowChart(first);
  let said = '';
  return {
    element: element('section', {class: 'card'},
      element('h2', {}, element('a', {href: `#/policies/${encodeURIComponent(first.policy)}`}, first.policy),
        element('span', {class: 'sub'}, `${first.measure} in ${duration(first.windowMillis)} per ${first.per.join(', ') || 'policy'}: ${first.subject.join(' · ')}`)),
      text, says, plot.element),
    /** @param {any} window @param {{since: number, until: number, soft: boolean}[]} locks @param {number} brokerTime */
    update(window, locks, brokerTime) {
      const total = (values) => values.reduce((sum, value) => sum + value, 0);
      const used = (partOf(window.conditions, 'debt')?.observed ?? window.sum) / window.limit;
      text.textContent = `${amount(window.sum, window.measure)} in the window${window.limit > 0 ? `, ${percent(used)} of the threshold` : ''}. `
        + `${number(total(window.admitted))} requests admitted, ${number(total(window.rejected))} rejected.`;
      const content = JSON.stringify(window.conditions);
      if (content !== said) {
        said = content;
        says.replaceChildren(standings(window));
      }
      plot.update(window, locks, brokerTime);
      plot.describe(`${window.policy}: ${text.textContent}`);
    },
    close: plot.close,
  };
}
