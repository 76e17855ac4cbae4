// The plan editor: a text and the steps that it says, each the picture of the other. The receiver checks the text as it is
// typed, so that there is one grammar.

import { get, path, post, put } from './api.js';
import { Builder } from './builder.js';
import { field, open } from './dialog.js';
import { el, replace } from './dom.js';
import * as format from './format.js';
import { KindForm } from './kinds.js';
import { watch } from './notice.js';
import { Rules } from './rules.js';

// tail is what a plan says of itself behind its steps, such as "; ttl=10m0s".
const tail = (plan) => /;[^"]*$/.exec(plan)?.[0] ?? '';

// pause is how long typing rests before the text is checked.
const pause = 150;

export class PlanEditor {
  #turn = 0;
  #timer = 0;
  #good = false;

  constructor(endpoints, onDone) {
    this.endpoints = endpoints;
    this.onDone = onDone;
  }

  async open(endpoint, key) {
    this.#build(endpoint, key);
    this.box = open('Plan', this.content, { wide: true });
    const [faults, listeners] = await Promise.all([get('/v1/faults'), get('/v1/listeners')]);
    this.faults = faults.kinds;
    this.target.append(el('optgroup', { label: 'Connections of a listener' }, listeners.listeners.map((l) => el('option', { value: `l${l.name}` }, format.short(l.name, 60)))));
    await this.#fetch();
    this.text.focus();
  }

  #build(endpoint, key) {
    // A value is the name behind a letter: endpoints and listeners may have the same.
    this.target = el('select', { name: 'target', onchange: () => watch(this.#fetch()) },
      el('optgroup', { label: 'Events of an endpoint' }, this.endpoints.map((e) => el('option', { value: `e${e.name}` }, format.short(e.name, 60)))));
    const known = this.endpoints.some((e) => e.name === endpoint);
    this.target.value = `e${known ? endpoint : (this.endpoints[0]?.name ?? '')}`;
    this.key = el('input', { name: 'key', class: 'mono', autocomplete: 'off', spellcheck: 'false', placeholder: 'every event without a plan of its own', value: key ?? '' });
    this.mirror = el('div', { class: 'mirror mono', 'aria-hidden': 'true' });
    this.text = el('textarea', {
      id: 'plan-text', class: 'mono', rows: 3, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', 'aria-describedby': 'plan-said',
      oninput: () => this.#typed(), onscroll: () => { this.mirror.scrollTop = this.text.scrollTop; },
      onkeydown: (e) => {
        if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) this.#apply();
      },
    });
    this.said = el('p', { id: 'plan-said', class: 'said', role: 'status' });
    this.rules = new Rules();
    this.builder = new Builder((text) => this.#write(text));
    this.kinds = new KindForm((step, times) => this.builder.add(step, times));
    this.button = el('button', { type: 'button', class: 'primary', onclick: () => this.#apply() }, 'Apply');
    this.content = el('div', { class: 'plan' },
      el('div', { class: 'plan-scope' }, field('Plan of', this.target), this.keyRow = field('Event', this.key, 'An event\'s id, or empty for the endpoint.')),
      el('label', { for: 'plan-text' }, 'Plan'),
      el('div', { class: 'editor' }, this.mirror, this.text),
      this.said, this.rules.node,
      el('div', { class: 'plan-parts' },
        el('section', { 'aria-label': 'Steps' }, el('h3', {}, 'Steps'), this.builder.node),
        el('section', { 'aria-label': 'Add a step' }, el('h3', {}, 'Add a step'), this.kinds.node)),
      el('div', { class: 'actions end' }, el('span', { class: 'dim wide-only' }, 'Ctrl+Enter applies'), this.button));
  }

  // level says what the plan's steps act on: requests at an endpoint, or connections of a listener.
  get #level() {
    return this.target.value.startsWith('l') ? 'connection' : 'request';
  }

  get #name() {
    return this.target.value.slice(1);
  }

  get #address() {
    return `/v1/${this.#level === 'connection' ? 'listeners' : 'endpoints'}${path(this.#name)}`;
  }

  async #fetch() {
    this.keyRow.hidden = this.#level === 'connection';
    this.kinds.fill(this.faults, this.#level);
    if (!this.#name) return this.#say('There is no endpoint to plan for.', true);
    const of = await get(this.#address);
    this.rules.node.hidden = this.#level === 'connection'; // what is matched are requests
    this.rules.show(this.#address, of.rules ?? []);
    return this.#write(of.plan);
  }

  #write(text) {
    this.text.value = text;
    return this.#check();
  }

  #typed() {
    clearTimeout(this.#timer);
    this.said.setAttribute('aria-busy', 'true');
    this.#good = false;
    this.button.disabled = true;
    this.#markAt(0);
    this.#timer = setTimeout(() => this.#check(), pause);
  }

  async #check() {
    const turn = ++this.#turn;
    this.said.setAttribute('aria-busy', 'true');
    try {
      const told = await post('/v1/plans/check', { plan: this.text.value, level: this.#level });
      if (turn !== this.#turn) return;
      const steps = [...told.steps, told.then];
      this.builder.show(steps, tail(told.plan));
      this.#markAt(0);
      this.#say(steps.length === 1 ? `Understood: ${told.then} for ever.` : `Understood: ${format.count(steps.length - 1, 'step')}, then ${told.then} for ever.`, false);
    } catch (err) {
      if (turn !== this.#turn) return;
      const at = err.told?.position ?? Number(/position (\d+):/.exec(err.message)?.[1] ?? 0);
      // The text is on the screen: its copy at the start of the message would only hide what is wrong.
      this.#say(err.message.replace(/^.*?(?=position \d+:)/s, ''), true);
      this.#markAt(at);
    }
  }

  #say(text, bad) {
    this.#good = !bad;
    this.button.disabled = bad;
    this.said.setAttribute('aria-busy', 'false');
    this.said.className = bad ? 'said is-bad' : 'said is-ok';
    this.said.textContent = format.visible(text);
    this.text.setAttribute('aria-invalid', bad);
  }

  // markAt underlines what stands at a position, counted in characters from 1; 0 is none.
  #markAt(at) {
    const chars = [...this.text.value];
    if (!at) return replace(this.mirror);
    const before = chars.slice(0, at - 1).join('');
    const word = /^[^\s,()="*]+/.exec(chars.slice(at - 1).join(''))?.[0] ?? chars[at - 1] ?? ' ';
    replace(this.mirror, before, el('mark', {}, word.trim() ? word : '\u00a0'));
    this.mirror.scrollTop = this.text.scrollTop;
    return undefined;
  }

  async #apply() {
    await this.#check();
    if (!this.#good) return;
    const key = this.#level === 'request' ? this.key.value : '';
    try {
      await put(`${this.#address}${key ? `/events${path(key)}` : ''}/plan`, { plan: this.text.value });
      this.box.close();
      this.onDone(key ? `Plan of event ${format.short(key, 40)} set` : `Plan of ${format.short(this.#name, 40)} set`);
    } catch (err) {
      this.#say(err.message, true);
    }
  }
}
