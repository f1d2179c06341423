/** An answer other than success. */
export class ApiError extends Error {
  /** @param {number} status 0 where there was no answer @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path behind /api/v1
 * @param {RequestInit} [options]
 * @returns {Promise<any>} the JSON of the answer
 * @throws {ApiError}
 */
export async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, {credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(15_000), ...options});
  } catch {
    throw new ApiError(0, 'The analyzer does not answer. Check that it runs; this page tries again every 2 seconds.');
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    throw new ApiError(answer.status, body.error ?? body.title ?? `status ${answer.status}`);
  }
  return body;
}

/** @param {{token: string}|{code: string}} credentials a token, or the code of a link, which works once */
export const signIn = (credentials) => ask('/session', {
  method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(credentials),
});

export const signOut = () => ask('/session', {method: 'DELETE'});

/**
 * @param {string} policy
 * @param {string[]} subject
 * @returns {string} the path of a lock behind /api/v1
 * @throws {ApiError} where a path can't name it: browsers resolve the segments . and .., encoded, too
 */
export function lockPath(policy, subject) {
  const unnamed = subject.find((value) => value === '.' || value === '..');
  if (unnamed !== undefined) {
    throw new ApiError(0, `no address can name "${unnamed}"; use ./sluice locks add and locks release`);
  }
  return `/locks/${[policy, ...subject].map(encodeURIComponent).join('/')}`;
}

/**
 * Follows the transitions of locks while the page is visible. The browser reconnects by itself, with the id of the last event. A hidden page closes its
 * connection: browsers allow six to a server, so further pages would wait for the hidden ones.
 *
 * @param {(event: string) => void} changed
 * @param {(connected: boolean) => void} state
 * @returns {() => void} ends it
 */
export function follow(changed, state) {
  const following = new AbortController();
  let source = null;
  let retry = 0;
  const close = () => {
    clearTimeout(retry);
    source?.close();
  };
  const open = () => {
    close();
    if (document.hidden) {
      return;
    }
    const opened = new EventSource('/api/v1/events');
    source = opened;
    opened.onopen = () => state(true);
    opened.onerror = () => {
      state(false);
      if (opened.readyState === EventSource.CLOSED) {
        // refused: the browser does not try again, as with 503 while the analyzer starts
        retry = setTimeout(open, 2_000);
      }
    };
    ['open', 'renew', 'release', 'guard', 'gap'].forEach((kind) => opened.addEventListener(kind, () => changed(kind)));
  };
  document.addEventListener('visibilitychange', open, {signal: following.signal});
  open();
  return () => {
    following.abort();
    close();
  };
}
