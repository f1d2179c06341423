import {signIn} from './api.js';
import {element} from './dom.js';

/**
 * @param {() => void} done called once the browser has a session
 * @returns {HTMLElement}
 */
export function signInView(done) {
  document.title = 'Sign in – Sluice';
  const wrong = element('p', {class: 'wrong', role: 'alert'});
  const token = element('input', {
    id: 'token', type: 'password', autocomplete: 'current-password', required: true, 'aria-describedby': 'token-hint',
  });
  const form = element('form', {
    class: 'card sign-in',
    async onsubmit(event) {
      event.preventDefault();
      wrong.textContent = '';
      try {
        await signIn(token.value);
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
    'The content of the file that http.token-file names on the analyzer’s machine. The session lasts twelve hours.'),
  element('button', {type: 'submit', class: 'primary'}, 'Sign in'),
  wrong);
  setTimeout(() => token.focus());
  return form;
}
