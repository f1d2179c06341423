import {element} from './dom.js';
import {userName} from './session.js';

/** @param {Element} opener @returns {HTMLElement} the control that the focus returns to: the opener, or its copy if it was drawn anew meanwhile */
function currentOpener(opener) {
  const name = (one) => one.id || one.getAttribute('aria-label') || one.textContent;
  return opener.isConnected && opener !== document.body ? opener
    : [...document.querySelectorAll('button')].find((one) => name(one) === name(opener)) ?? document.getElementById('main-content');
}

/** @param {any} answer of a change @returns {string[]} what its user has to know although it succeeded */
function remarks(answer) {
  return [
    ...answer.unrecorded ? [`It is in force, but not in the decision log: ${answer.unrecorded}`] : [],
    ...answer.network ? [`Gates and access logs name IPv6 callers by their network: did you mean ${answer.network}?`] : [],
    ...answer.enforce ? answer.switchedOff.map((off) => `Rejection stays off ${off.agent ? `at agent ${off.agent}` : 'everywhere'}, by ${off.author}: ${off.reason}`) : [],
  ];
}

/**
 * Asks for an author, unless the user has a name, a reason and further fields; then sends the change. The dialog stays open with the error where
 * that fails, and with remarks on what has succeeded.
 *
 * @param {{id: string, title: string, hint: string, button: string, failed: string, fields?: Node[],
 *   send: (by: {author?: string, reason: string}) => Promise<any>}} action
 */
export function actionDialog(action) {
  const opener = document.activeElement;
  const named = userName() !== '';
  const author = element('input', {id: `${action.id}-author`, required: !named, maxlength: 64, autocomplete: 'username',
    value: localStorage.getItem('sluice-author') ?? ''});
  const reason = element('input', {id: `${action.id}-reason`, required: true, maxlength: 200});
  const wrong = element('p', {class: 'wrong', role: 'alert'});
  const send = element('button', {type: 'submit', class: 'primary'}, action.button);
  const dialog = element('dialog', {'aria-labelledby': `${action.id}-title`},
    element('form', {
      async onsubmit(event) {
        event.preventDefault();
        wrong.textContent = '';
        send.disabled = true;
        try {
          const said = remarks(await action.send({...named ? {} : {author: author.value}, reason: reason.value}));
          if (!named) {
            localStorage.setItem('sluice-author', author.value);
          }
          document.dispatchEvent(new Event('refresh'));
          if (said.length === 0) {
            dialog.close();
          } else {
            const close = element('button', {type: 'button', class: 'primary', onclick: () => dialog.close()}, 'Close');
            event.target.replaceChildren(element('h2', {id: `${action.id}-title`}, `${action.title}: done`),
              ...said.map((remark) => element('p', {role: 'status'}, remark)), element('p', {class: 'row'}, close));
            close.focus();
          }
        } catch (error) {
          wrong.textContent = `${action.failed}: ${error.message}`;
        } finally {
          send.disabled = false;
        }
      },
    },
    element('h2', {id: `${action.id}-title`}, action.title),
    element('p', {class: 'hint'}, action.hint),
    ...action.fields ?? [],
    ...named ? [element('p', {class: 'hint'}, `Recorded as ${userName()}.`)]
      : [element('label', {for: author.id}, 'Your name'), author],
    element('label', {for: reason.id}, 'Reason'), reason,
    wrong,
    element('p', {class: 'row'}, send, element('button', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));
  dialog.addEventListener('close', () => {
    dialog.remove();
    currentOpener(opener).focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  (dialog.querySelector('select, input:invalid') ?? reason).focus();
}
