import {ask} from './api.js';
import {element} from './dom.js';
import {number} from './format.js';
import {replayResult} from './replay-result.js';
import {change} from './session.js';

/** Longer than the analyzer works on a replay. */
const PATIENCE_MILLIS = 180_000;
const MEBIBYTE = 1 << 20;

const choice = (value, label) => element('option', {value}, label);

/** Replays a log and policies from files. Nothing takes effect, and the analyzer keeps nothing. @returns {import('./app.js').View} */
export function replayView() {
  const log = element('input', {id: 'replay-log', type: 'file', required: true, 'aria-describedby': 'replay-bounds'});
  const which = element('select', {id: 'replay-which', onchange: chosen},
    choice('active', 'the policies in force'), choice('file', 'a policy file'), choice('none', 'none: look at callers'));
  const policies = element('input', {id: 'replay-policies', type: 'file', accept: '.yml,.yaml,.json'});
  const policiesRow = element('div', {hidden: true}, element('label', {for: 'replay-policies'}, 'Policy file'), policies);
  const format = element('select', {id: 'replay-format'}, choice('', 'find out'));
  const caller = element('input', {id: 'replay-caller', placeholder: 'as usual for the format'});
  const bounds = element('p', {id: 'replay-bounds', class: 'hint'});
  const wrong = element('p', {class: 'wrong lines', role: 'alert'});
  const progress = element('p', {class: 'hint', role: 'status'});
  const send = element('button', {type: 'submit', class: 'primary'}, 'Replay');
  const result = element('div', {class: 'view'});
  /** @type {ReturnType<typeof replayResult>|null} */
  let shown = null;
  let allowed = null;
  let closed = false;
  /** Over when dropped files have their place. */
  let looking = Promise.resolve();

  function chosen() {
    policiesRow.hidden = which.value !== 'file';
  }

  /** Logs can be JSON, too. @param {File} file @returns {Promise<boolean>} */
  async function holdsPolicies(file) {
    if (!/\.json$/i.test(file.name)) {
      return /\.ya?ml$/i.test(file.name);
    }
    const head = await file.slice(0, MEBIBYTE).text();
    return /^\s*\{\s*"(type|version|format|revision|enforce|allow|guard|policies)"\s*:/.test(head)
      && (/"policies"\s*:\s*\[/.test(head) || !beginsWithEntry(head));
  }

  /** Each line of a log is a JSON value of its own. A file of policies that is too long to show any here is refused with its length. @param {string} head */
  function beginsWithEntry(head) {
    try {
      JSON.parse(head.trimStart().split('\n', 1)[0]);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {File[]} files */
  async function take(files) {
    for (const file of files) {
      const only = new DataTransfer();
      only.items.add(file);
      // what can't be read, such as a folder, is refused when it is sent
      if (await holdsPolicies(file).catch(() => false)) {
        policies.files = only.files;
        which.value = 'file';
        chosen();
      } else {
        log.files = only.files;
      }
    }
  }

  function dropped(event) {
    event.preventDefault();
    zone.classList.remove('over');
    const files = [...event.dataTransfer.files];
    looking = looking.then(() => take(files));
  }

  /** @returns {string} why the form can't be sent; empty where it can */
  function problem() {
    if (log.files.length === 0) {
      return 'Choose a log, or drop one here.';
    }
    if (which.value === 'file' && policies.files.length === 0) {
      return 'Choose a policy file, or replay with the policies in force.';
    }
    const bytes = log.files[0].size + (which.value === 'file' ? policies.files[0].size : 0);
    return allowed !== null && bytes > allowed.uploadBytes
      ? `The files have ${number(bytes / MEBIBYTE)} MiB, allowed are ${number(allowed.uploadBytes / MEBIBYTE)}. Compress the log with gzip, `
        + 'shorten it, or use ./sluice replay.' : '';
  }

  async function submit(event) {
    event.preventDefault();
    await looking;
    wrong.textContent = problem();
    if (wrong.textContent !== '') {
      return;
    }
    const body = new FormData();
    body.append('log', log.files[0]);
    const query = new URLSearchParams();
    if (which.value === 'file') {
      body.append('policies', policies.files[0]);
    } else if (which.value === 'active') {
      query.set('policies', 'active');
    }
    if (format.value !== '') {
      query.set('format', format.value);
    }
    if (caller.value !== '') {
      query.set('caller', caller.value);
    }
    send.disabled = true;
    progress.textContent = 'Replaying…';
    try {
      const report = await change(`/replay?${query}`, {method: 'POST', body, signal: AbortSignal.timeout(PATIENCE_MILLIS)});
      if (closed) {
        return;
      }
      shown?.close();
      shown = replayResult(report);
      result.replaceChildren(shown.element);
      shown.draw();
      progress.textContent = `Replayed ${number(report.lines)} lines in ${number(report.seconds)} s.`;
    } catch (error) {
      progress.textContent = '';
      wrong.textContent = `Not replayed: ${error.message}`;
    } finally {
      send.disabled = false;
    }
  }

  const zone = element('section', {class: 'card drop', ondrop: dropped, ondragover(event) {
    event.preventDefault();
    zone.classList.add('over');
  }, ondragleave: () => zone.classList.remove('over')},
  element('form', {onsubmit: submit, novalidate: true},
    element('p', {class: 'hint'}, 'Shows which locks policies would have made from a log, and which requests these would have rejected. Nothing takes effect, '
      + 'and the analyzer keeps nothing of the files. Drop a log and a policy file here, or choose them.'),
    element('div', {class: 'row'},
      element('div', {}, element('label', {for: 'replay-log'}, 'Log'), log),
      element('div', {}, element('label', {for: 'replay-format'}, 'Format'), format),
      element('div', {}, element('label', {for: 'replay-caller'}, 'Field of the caller'), caller)),
    element('div', {class: 'row'},
      element('div', {}, element('label', {for: 'replay-which'}, 'Policies'), which), policiesRow, send),
    bounds, progress, wrong));

  return {
    title: 'Replay',
    element: element('div', {class: 'view'}, element('h1', {}, 'Replay'), zone, result),
    async refresh() {
      if (allowed === null) {
        allowed = await ask('/replay');
        format.append(...allowed.formats.map((name) => choice(name, name)));
        bounds.textContent = `At most ${number(allowed.uploadBytes / MEBIBYTE)} MiB, ${number(allowed.unpackedBytes / MEBIBYTE)} MiB unpacked, `
          + `${number(allowed.seconds)} s of work and ${number(allowed.locks)} locks; one replay at a time. ./sluice replay has no such bounds.`;
      }
    },
    close() {
      closed = true;
      shown?.close();
    },
  };
}
