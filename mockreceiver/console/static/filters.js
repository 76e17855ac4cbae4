// The filters. What they are set to stands in the address.

import { el } from './dom.js';
import * as format from './format.js';
import { filters as names } from './route.js';

const statuses = ['2xx', '3xx', '4xx', '5xx', 'none'];
const classes = ['first', 'retry', 'duplicate-after-success', 'concurrent-duplicate', 'transport-replay', 'reordered', 'injected', 'handshake', 'unhandled'];
const signatures = ['verified', 'stale', 'failed', 'missing', 'unchecked'];

export class Filters {
  constructor(onChange) {
    const change = () => onChange(this.values());
    const select = (name, words) => el('select', { name, 'aria-label': name, onchange: change }, el('option', { value: '' }, name[0].toUpperCase() + name.slice(1)), words.map((w) => el('option', { value: w }, w === 'none' ? 'no status' : w)));
    this.event = el('input', { name: 'event', type: 'search', class: 'mono', placeholder: 'Event id  ( / )', 'aria-label': 'event id, exact', autocomplete: 'off', spellcheck: 'false', 'aria-keyshortcuts': '/', onchange: change });
    this.endpoint = select('endpoint', []);
    this.selects = { status: select('status', statuses), class: select('class', classes), signature: select('signature', signatures) };
    this.clear = el('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => { this.set({}); change(); } }, 'Clear');
    this.node = el('form', { class: 'filters', role: 'search', 'aria-label': 'Filter events', onsubmit: (e) => { e.preventDefault(); change(); } },
      this.event, this.endpoint, this.selects.status, this.selects.class, this.selects.signature, this.clear);
  }

  values() {
    const v = { event: this.event.value.trim(), endpoint: this.endpoint.value, ...Object.fromEntries(Object.entries(this.selects).map(([k, s]) => [k, s.value])) };
    this.#marks(v);
    return v;
  }

  set(v) {
    this.event.value = v.event ?? '';
    this.#choose(this.endpoint, v.endpoint);
    for (const [name, select] of Object.entries(this.selects)) this.#choose(select, v[name]);
    this.#marks(v);
  }

  endpoints(list) {
    const chosen = this.endpoint.value;
    this.endpoint.replaceChildren(el('option', { value: '' }, 'Endpoint'), ...list.map((e) => el('option', { value: e.name }, format.short(e.name, 40))));
    this.#choose(this.endpoint, chosen);
  }

  // choose takes a value that the list does not have as well: an address can name a single status, or an endpoint of before.
  #choose(select, value = '') {
    if (![...select.options].some((o) => o.value === value)) select.append(el('option', { value }, format.short(value, 40)));
    select.value = value;
  }

  #marks(v) {
    this.clear.hidden = !names.some((name) => v[name]);
    for (const s of [this.endpoint, ...Object.values(this.selects)]) s.classList.toggle('set', s.value !== '');
  }
}
