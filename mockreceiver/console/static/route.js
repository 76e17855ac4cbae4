// What is filtered and what is open stands in the address's fragment, so that a view can be shared. The token never does: it is
// taken out as soon as it is seen.

import { setToken } from './api.js';

export const filters = ['endpoint', 'event', 'status', 'class', 'signature'];
const places = ['open-endpoint', 'open-event', 'attempt', 'view', 'with'];

// read returns the values of the fragment, and keeps a token that stands there for this tab.
export function read() {
  const q = new URLSearchParams(location.hash.slice(1));
  const token = q.get('token');
  if (token !== null) {
    setToken(token);
    q.delete('token');
    history.replaceState(null, '', link(Object.fromEntries(q)));
  }
  return Object.fromEntries([...filters, ...places].map((name) => [name, q.get(name) ?? '']));
}

function link(values) {
  const q = new URLSearchParams(Object.entries(values).filter(([, v]) => v !== ''));
  return q.size ? `#${q}` : location.pathname;
}

// write shows values in the address. A step that people want to go back from is a new entry of the history.
export function write(values, { step = false } = {}) {
  history[step ? 'pushState' : 'replaceState'](null, '', link(values));
}
