// What the page knows: attempts grouped by event, newest event first, bounded. No document in here.

// maxEvents and maxAttempts bound what a page that stays open for days keeps and draws.
export const maxEvents = 300;
const maxAttempts = 50; // per event; the event's own view asks the receiver for all

export const idOf = (endpoint, key) => `${endpoint}\n${key}`;

export class Store {
  #events = new Map();
  #version = 0; // counts what was added, so that a row knows whether it is out of date

  // add takes an attempt's summary, of its arrival or of its outcome, in any order, and returns its event.
  add(a) {
    const id = idOf(a.endpoint, a.key);
    let event = this.#events.get(id);
    if (!event) {
      event = { id, endpoint: a.endpoint, key: a.key, attempts: new Map(), newest: 0, count: 0, seen: 0, floor: 0, version: 0 };
      this.#events.set(id, event);
    }
    const known = event.attempts.get(a.seq);
    if (known?.end && !a.end) return event; // the arrival, overtaken by its outcome
    if (a.seq < event.floor) return event; // seen, counted and let go
    event.attempts.set(a.seq, a);
    event.version = ++this.#version;
    event.newest = Math.max(event.newest, a.seq);
    // The receiver numbers the attempts at its endpoints, those before what is known here among them. What came to no endpoint
    // has no number.
    if (!known && a.origin === '') event.seen++;
    event.count = Math.max(event.count, a.attempt ?? 0, event.seen);
    if (event.attempts.size > maxAttempts) {
      event.floor = Math.min(...event.attempts.keys()) + 1;
      event.attempts.delete(event.floor - 1);
    }
    return event;
  }

  // list returns the newest events and forgets those beyond the limit, unless they are wanted.
  list(limit = maxEvents) {
    const all = [...this.#events.values()].sort((a, b) => b.newest - a.newest);
    for (const event of all.slice(limit)) this.#events.delete(event.id);
    return all.slice(0, limit);
  }

  // newest is the event at an endpoint of which something came last; undefined if there is none.
  newest() {
    let last;
    for (const e of this.#events.values()) if (e.endpoint && e.newest > (last?.newest ?? 0)) last = e;
    return last;
  }

  get(endpoint, key) {
    return this.#events.get(idOf(endpoint, key));
  }

  has(a) {
    return this.get(a.endpoint, a.key)?.attempts.has(a.seq) ?? false;
  }

  // drop forgets what is known of an endpoint.
  drop(endpoint) {
    for (const event of this.#events.values()) if (event.endpoint === endpoint) this.#events.delete(event.id);
  }

  // oldestOwed is the number of the oldest attempt whose event an inbox has not completed; 0 if there is none.
  oldestOwed() {
    const owed = [...this.#events.values()].filter((e) => (inboxOf(e)?.state ?? 'completed') !== 'completed');
    return owed.length ? Math.min(...owed.flatMap((e) => [...e.attempts.keys()])) : 0;
  }

  get size() {
    return this.#events.size;
  }

  clear() {
    this.#events.clear();
  }
}

export function sorted(event) {
  return [...event.attempts.values()].sort((a, b) => a.seq - b.seq);
}

export const succeeded = (a) => a.end === 'complete' && a.status >= 200 && a.status < 300;

// stateOf is what can be said of an event from the attempts at hand: the receiver's own words for it. received: no attempt got
// a complete 2xx, but the business side has the event.
export function stateOf(event) {
  const all = sorted(event);
  const last = all.at(-1);
  if (all.every((a) => a.handshake)) return 'handshake';
  if (all.some((a) => a.origin === '' && (succeeded(a) || a.class === 'duplicate-after-success'))) return 'delivered';
  if (all.some((a) => a.effect?.rows > 0 || a.effect?.result === 'queued')) return 'received';
  const own = all.filter((a) => a.origin === '').at(-1) ?? last;
  if (own && !own.end) return own.open ? 'open' : 'unknown';
  return 'failing';
}

// inboxOf is where an event stands in its endpoint's inbox, as last heard; undefined if it is in none.
export function inboxOf(event) {
  return [...event.attempts.values()].map((a) => a.effect?.inbox).filter(Boolean).sort((a, b) => a.changed.localeCompare(b.changed)).at(-1);
}

// matches tells whether a live attempt belongs into a filtered list. It agrees with the filters of GET /v1/attempts.
export function matches(a, f) {
  if (f.endpoint && a.endpoint !== f.endpoint) return false;
  if (f.event && a.key !== f.event) return false;
  if (f.class && a.class !== f.class) return false;
  if (f.signature && a.signature?.state !== f.signature) return false;
  if (!f.status) return true;
  if (f.status === 'none') return Boolean(a.end) && a.status === 0;
  const family = /^([1-9])xx$/.exec(f.status);
  return family ? Math.floor(a.status / 100) === Number(family[1]) : String(a.status) === f.status;
}
