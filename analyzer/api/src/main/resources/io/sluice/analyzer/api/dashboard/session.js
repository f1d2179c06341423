import {ask, ApiError} from './api.js';

/** Roles, the least first; each includes those before it. */
const ROLES = ['look', 'operate', 'policies'];

/** @type {{signedIn: boolean, tokenNeeded: boolean, user: string, role: string, writes: boolean, csrf?: string, reason?: string}} */
let session = {signedIn: false, tokenNeeded: false, user: '', role: 'look', writes: false};

/** Asks who uses this page, and what the user may do. */
export async function loadSession() {
  session = {user: '', role: 'look', writes: false, ...await ask('/session')};
  return session;
}

/** @param {'operate'|'policies'} role @returns {boolean} whether the user may change what this role changes */
export const may = (role) => session.writes && ROLES.indexOf(session.role) >= ROLES.indexOf(role);

/** @returns {string} the user's name; empty where users share a token, and name themselves */
export const userName = () => session.user;

/**
 * Sends a change, with the proof that it comes from this page.
 *
 * @param {string} path behind /api/v1
 * @param {RequestInit} options
 * @returns {Promise<any>}
 * @throws {ApiError}
 */
export async function change(path, options) {
  const send = () => ask(path, {...options, headers: {...options.headers, ...session.csrf ? {'X-Sluice-CSRF': session.csrf} : {}}});
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiError && error.status === 403 && error.message.startsWith('X-Sluice-CSRF')) {
      // it ends after twelve hours
      await loadSession();
      return send();
    }
    throw error;
  }
}

/** @param {any} body @returns {RequestInit} */
export const json = (body) => ({headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
