import {ask, lockPath} from './api.js';
import {element} from './dom.js';
import {subjectText} from './format.js';

/**
 * Asks for author and reason, then releases a lock. The dialog stays open with the error where that fails.
 *
 * @param {{policy: string, subject: string[]}} lock
 */
export function release(lock) {
  const opener = document.activeElement;
  const author = element('input', {id: 'release-author', required: true, maxlength: 64, autocomplete: 'username',
    value: localStorage.getItem('sluice-author') ?? ''});
  const reason = element('input', {id: 'release-reason', required: true, maxlength: 200});
  const wrong = element('p', {class: 'wrong', role: 'alert'});
  const send = element('button', {type: 'submit', class: 'primary'}, 'Release');
  const dialog = element('dialog', {'aria-labelledby': 'release-title'},
    element('form', {
      async onsubmit(event) {
        event.preventDefault();
        wrong.textContent = '';
        send.disabled = true;
        try {
          const query = new URLSearchParams({author: author.value, reason: reason.value});
          await ask(`${lockPath(lock.policy, lock.subject)}?${query}`, {method: 'DELETE'});
          localStorage.setItem('sluice-author', author.value);
          dialog.close();
          document.dispatchEvent(new Event('refresh'));
        } catch (error) {
          wrong.textContent = `Not released: ${error.message}`;
        } finally {
          send.disabled = false;
        }
      },
    },
    element('h2', {id: 'release-title'}, `Release ${subjectText(lock.subject)}`),
    element('p', {class: 'hint'}, `Agents admit it again at once, and ${lock.policy} does not lock it for ten minutes. The release is recorded.`),
    element('label', {for: 'release-author'}, 'Your name'), author,
    element('label', {for: 'release-reason'}, 'Reason'), reason,
    wrong,
    element('p', {class: 'row'}, send, element('button', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));
  dialog.addEventListener('close', () => {
    dialog.remove();
    opener?.focus?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  (author.value === '' ? author : reason).focus();
}
