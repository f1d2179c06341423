import {agentsView} from './agents.js';
import {ApiError, ask, follow, signIn, signOut} from './api.js';
import {auditView} from './audit.js';
import {callerView} from './caller.js';
import {element} from './dom.js';
import {lettersView} from './letters.js';
import {nowView} from './now.js';
import {policiesView} from './policies.js';
import {replayView} from './replay.js';
import {loadSession} from './session.js';
import {signInView} from './sign-in.js';
import {silenceBanner} from './silence.js';

/** Time between two questions, while the page is visible. */
const EVERY_MILLIS = 2_000;

/**
 * @typedef {object} View
 * @property {string} title
 * @property {HTMLElement} element
 * @property {(status: Promise<any>) => Promise<void>} refresh asks for what it shows; the answer of /status is asked for with each view
 * @property {(event: string) => void} [changed] a lock has opened, continues or ends
 * @property {() => void} [tick] called each second
 * @property {() => void} [close]
 */

/** @type {Record<string, {label: string, open: (rest: string[], query: URLSearchParams) => View}>} */
const VIEWS = {
  now: {label: 'Now', open: nowView},
  caller: {label: 'Caller', open: callerView},
  policies: {label: 'Policies', open: policiesView},
  replay: {label: 'Replay', open: replayView},
  agents: {label: 'Agents', open: agentsView},
  letters: {label: 'Dead letters', open: lettersView},
  audit: {label: 'Audit', open: auditView},
};

const main = document.getElementById('main-content');
const problem = document.getElementById('problem');
const silence = silenceBanner(document.getElementById('silence'));
const live = document.getElementById('live');
/** @type {View|null} */
let view = null;
let round = 0;
let timer = 0;
let signedOut = false;
/** @type {(() => void)|null} */
let unfollow = null;

function show(next) {
  view?.close?.();
  view = next;
  document.title = `${next.title} – Sluice`;
  // a link of the view that is left would take the focus with it
  const inside = main.contains(document.activeElement);
  main.setAttribute('aria-busy', 'true');
  main.replaceChildren(next.element);
  if (inside) {
    main.focus();
  }
  refresh();
}

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, ...rest] = path.split('/').map(decoded);
  const known = Object.hasOwn(VIEWS, name) ? name : 'now';
  document.querySelectorAll('#nav a').forEach((link) => {
    link.toggleAttribute('aria-current', link.dataset.view === known);
    if (link.dataset.view === known) {
      link.setAttribute('aria-current', 'page');
    }
  });
  if (!signedOut) {
    show(VIEWS[known].open(rest, new URLSearchParams(query ?? '')));
  }
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function refresh() {
  clearTimeout(timer);
  const mine = ++round;
  const asked = view;
  try {
    if (!document.hidden) {
      const status = ask('/status');
      await Promise.all([asked.refresh(status), status.then((answer) => mine === round && silence.update(answer))]);
      if (mine === round) {
        problem.replaceChildren();
        main.classList.remove('stale');
        main.removeAttribute('aria-busy');
      }
    }
  } catch (error) {
    if (mine === round) {
      failed(error);
    }
  }
  if (mine === round && !signedOut) {
    timer = setTimeout(refresh, EVERY_MILLIS);
  }
}

function failed(error) {
  if (error instanceof ApiError && error.status === 401) {
    askForToken();
    return;
  }
  main.classList.add('stale');
  const hint = error instanceof ApiError && error.status === 403
    ? ' Open the page under a name that http.allowed-hosts has, or on the machine of the analyzer.' : '';
  const text = error instanceof ApiError ? error.message : `The page failed: ${error}`;
  problem.replaceChildren(element('p', {class: 'banner bad'}, element('strong', {}, 'Not up to date. '), text + hint));
}

/** @param {string} [reason] why there is no session */
function askForToken(reason = '') {
  signedOut = true;
  clearTimeout(timer);
  unfollow?.();
  unfollow = null;
  live.textContent = 'Signed out';
  live.className = 'live';
  problem.replaceChildren();
  silence.clear();
  document.getElementById('sign-out').hidden = true;
  document.getElementById('nav').hidden = true;
  document.getElementById('user').textContent = '';
  main.classList.remove('stale');
  main.removeAttribute('aria-busy');
  view?.close?.();
  view = null;
  main.replaceChildren(signInView(begin, reason));
}

function start() {
  route();
  let pending = 0;
  unfollow = follow((event) => {
    view?.changed?.(event);
    clearTimeout(pending);
    pending = setTimeout(() => !signedOut && refresh(), 150);
  }, (connected) => {
    live.textContent = connected ? 'Live' : 'Reconnecting';
    live.className = connected ? 'live on' : 'live off';
    if (!connected && !signedOut) {
      refresh();
    }
  });
}

function switchTheme() {
  localStorage.setItem('sluice-theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  globalThis.applyTheme();
}

document.getElementById('nav').append(element('ul', {}, ...Object.entries(VIEWS).map(([name, one]) =>
  element('li', {}, element('a', {href: `#/${name}`, 'data-view': name}, one.label)))));
document.getElementById('theme').addEventListener('click', switchTheme);
document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById('sign-out').addEventListener('click', async () => {
  await signOut().catch(failed);
  askForToken();
});
document.addEventListener('visibilitychange', () => !document.hidden && view !== null && refresh());
addEventListener('hashchange', route);
document.addEventListener('refresh', () => view !== null && refresh());
setInterval(() => view?.tick?.(), 1_000);

/** An EventSource does not show why it was refused, so the question for the session comes before it. */
async function begin() {
  const session = await loadSession().catch(() => ({signedIn: true, tokenNeeded: false, user: '', role: ''}));
  if (!session.signedIn) {
    // behind a proxy a user may lack a role, which no token changes
    askForToken(session.reason?.includes('no role') ? session.reason : '');
    return;
  }
  signedOut = false;
  document.getElementById('nav').hidden = false;
  document.getElementById('sign-out').hidden = !session.tokenNeeded;
  document.getElementById('user').textContent = session.user === '' ? '' : `${session.user} (${session.role})`;
  start();
}

/** The code of a link stands behind the #, which is not sent to servers. It works once, so it leaves the address. */
async function useLink() {
  const code = /^#\/sign-in\?code=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (code === undefined) {
    return begin();
  }
  history.replaceState(null, '', '#/now');
  return signIn({code}).then(begin, (error) => askForToken(`Not signed in: ${error.message}`));
}

useLink();
