import {signIn} from './api.js';
import {element} from './dom.js';

/**
 * @param {() => void} done called once the browser has a session
 * @param {string} [reason] why the browser has none
 * @returns {HTMLElement}
 */
export function signInView(done, reason = '') {
  document.title = 'Sign in – Sluice';
  const wrong = element('p', {class: 'wrong', role: 'alert'}, reason);
  const token = element('input', {
    id: 'token', type: 'password', autocomplete: 'current-password', required: true, 'aria-describedby': 'token-hint',
  });
  const form = element('form', {
    class: 'card sign-in',
    async onsubmit(event) {
      event.preventDefault();
      wrong.textContent = '';
      try {
        await signIn({token: token.value});
        done();
      } catch (error) {
        wrong.textContent = `Not signed in: ${error.message}`;
        token.focus();
      }
    },
  },
  element('h1', {}, 'Sign in'),
  element('label', {for: 'token'}, 'Token'),
  token,
  element('p', {id: 'token-hint', class: 'hint'},
    'Your token of http.users-file, or the content of http.token-file on the analyzer’s machine. ./sluice dashboard opens this page without it. The session lasts twelve hours.'),
  element('button', {type: 'submit', class: 'primary'}, 'Sign in'),
  wrong);
  setTimeout(() => token.focus());
  return form;
}
