// The control API: one bearer token, JSON in and out. The token lives in this tab's session storage and in no address.

const tokenKey = 'hookassay-token';

export function token() {
  return sessionStorage.getItem(tokenKey) ?? '';
}

export function setToken(t) {
  if (t) sessionStorage.setItem(tokenKey, t);
  else sessionStorage.removeItem(tokenKey);
}

// APIError is an answer other than 2xx. status 0: there was none. told is the whole answer.
export class APIError extends Error {
  constructor(status, text, told = {}) {
    super(text);
    this.status = status;
    this.told = told;
  }
}

// refused is told of every 401, so that the page can ask for another token.
let refused = () => {};
export function onRefused(f) {
  refused = f;
}

export async function request(method, path, { body, signal, headers = {} } = {}) {
  const init = { method, signal, headers: { Authorization: `Bearer ${token()}`, ...headers }, cache: 'no-store', credentials: 'omit' };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers['Content-Type'] = 'application/json';
  }
  let response;
  try {
    response = await fetch(path, init);
  } catch (err) {
    if (err.name === 'AbortError') throw err;
    throw new APIError(0, 'the receiver does not answer');
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  if (response.status === 401) refused();
  throw new APIError(response.status, told.error ?? `the receiver answered ${response.status}`, told);
}

async function json(method, path, options) {
  const response = await request(method, path, options);
  return response.status === 204 ? null : response.json();
}

export const get = (path, options) => json('GET', path, options);
export const post = (path, body) => json('POST', path, { body });
export const put = (path, body) => json('PUT', path, { body });
export const remove = (path) => json('DELETE', path);

// query makes a query string of what is set.
export function query(values) {
  const q = new URLSearchParams(Object.entries(values).filter(([, v]) => v !== '' && v !== null && v !== undefined));
  const text = q.toString();
  return text ? `?${text}` : '';
}

// path joins segments, each of which may hold any character.
export const path = (...segments) => segments.map((s) => `/${encodeURIComponent(s)}`).join('');
