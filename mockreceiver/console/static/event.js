// One event: its timeline and its attempts. What is known from the stream is shown at once; gaps and windows come with the
// receiver's own account of the event.

import { get, path } from './api.js';
import { copyButton, el, hidden, icon, replace, setText } from './dom.js';
import * as format from './format.js';
import { classBadge, signatureBadge } from './list.js';
import { sorted, stateOf } from './store.js';
import { choose as chooseOnTimeline, gapOf, timeline } from './timeline.js';

const stateMood = { delivered: 'ok', received: 'warn', failing: 'bad', open: 'open', unknown: 'warn' };

// narrowest is the width to draw for before the page is laid out.
const narrowest = 320;

export class EventView {
  #shown = null;
  #attempts = [];
  #chosen = 0;
  #drawn = '';

  constructor({ onAttempt, onPlan, onBack }) {
    this.on = { onAttempt, onBack };
    // Made once and patched: a button that is replaced while it is pressed does nothing.
    this.title = el('h2', { class: 'mono' });
    this.facts = el('p', { class: 'facts' });
    this.planButton = el('button', { type: 'button', class: 'quiet', id: 'event-plan', onclick: () => onPlan(this.#shown.endpoint, this.#shown.key) }, 'Plan of this event');
    this.head = el('header', { class: 'event-head' },
      el('button', { type: 'button', class: 'quiet back', onclick: onBack }, icon('back'), 'Events'),
      this.title, this.facts, el('div', { class: 'actions' }, copyButton('Copy id', () => this.#shown.key), this.planButton));
    this.time = el('div', { class: 'timeline-box' });
    this.list = el('ul', {
      id: 'attempts', class: 'attempts', role: 'listbox', tabindex: '0', 'aria-label': 'Attempts, oldest first',
      onkeydown: (e) => this.#key(e),
      onclick: (e) => {
        const row = e.target.closest('[role=option]');
        if (row) this.#choose(Number(row.dataset.seq));
      },
    });
    this.node = el('div', { class: 'event-view' }, this.head, this.time, this.list);
  }

  get attempts() {
    return this.#attempts;
  }

  // show opens an event. Known attempts are drawn at once, then those that the receiver has.
  async show(event, chosen) {
    this.#shown = event;
    this.#chosen = chosen;
    this.#draw(sorted(event));
    await this.refresh();
  }

  // refresh asks the receiver again; after an attempt that the stream told of, say.
  async refresh() {
    const event = this.#shown;
    if (!event?.endpoint || !event.key) return; // a request to nowhere is in no event of the receiver's
    try {
      const told = await get(`/v1/events${path(event.endpoint, event.key)}`);
      if (event === this.#shown) this.#draw(told.attempts);
    } catch (err) {
      if (err.status !== 404) throw err; // forgotten by a reset, perhaps: what was known stays in view
    }
  }

  patch(event) {
    if (event.id !== this.#shown?.id) return false;
    this.#shown = event;
    return true;
  }

  #draw(attempts) {
    const drawn = JSON.stringify(attempts);
    if (drawn === this.#drawn && this.#shown.id === this.node.dataset.event) return;
    this.#drawn = drawn;
    this.node.dataset.event = this.#shown.id;
    this.#attempts = attempts;
    this.#drawHead();
    const scrolled = this.time.firstElementChild?.scrollLeft ?? 0;
    // One attempt has no gaps to draw.
    this.time.hidden = attempts.length < 2;
    if (!this.time.hidden) replace(this.time, timeline(attempts, this.time.clientWidth || narrowest, (seq) => this.#choose(seq)));
    if (!this.time.hidden) this.time.firstElementChild.scrollLeft = scrolled;
    replace(this.list, columnNames(), attempts.map((a, i) => attemptRow(a, attempts[i - 1])));
    this.mark(this.#chosen);
  }

  #drawHead() {
    const event = this.#shown;
    const all = this.#attempts;
    const state = stateOf({ attempts: new Map(all.map((a) => [a.seq, a])) });
    const type = all.at(-1)?.type;
    setText(this.title, format.short(event.key, 160) || '(no id)');
    this.title.title = format.visible(event.key);
    this.planButton.hidden = !event.endpoint || !event.key;
    replace(this.facts,
      el('span', { class: `badge is-${stateMood[state]}` }, icon(stateMood[state]), state),
      el('span', {}, format.count(all.filter((a) => a.attempt > 0).length, 'attempt')),
      event.endpoint ? el('span', {}, 'at ', el('span', { class: 'mono' }, format.short(event.endpoint, 40))) : el('span', {}, 'at no endpoint'),
      type ? el('span', { class: 'mono' }, format.short(type, 60)) : null);
  }

  mark(seq) {
    this.#chosen = seq;
    chooseOnTimeline(this.node, seq);
    let active = '';
    for (const row of this.list.querySelectorAll('[role=option]')) {
      const chosen = Number(row.dataset.seq) === seq;
      row.setAttribute('aria-selected', chosen);
      if (chosen) active = row.id;
    }
    if (active) this.list.setAttribute('aria-activedescendant', active);
    else this.list.removeAttribute('aria-activedescendant');
  }

  #choose(seq) {
    this.mark(seq);
    this.list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    this.on.onAttempt(seq);
  }

  #key(e) {
    const seqs = this.#attempts.map((a) => a.seq);
    const at = seqs.indexOf(this.#chosen);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: seqs.length - 1 }[e.key];
    if (to !== undefined && seqs.length) {
      e.preventDefault();
      this.#choose(seqs[Math.min(Math.max(to, 0), seqs.length - 1)]);
    } else if (e.key === 'ArrowLeft') {
      e.preventDefault();
      this.on.onBack();
    }
  }
}

function columnNames() {
  const names = ['', 'Attempt', 'Arrived', 'Gap', 'Planned', 'Answered', 'Business', ''];
  return el('li', { class: 'attempt columns', 'aria-hidden': 'true', role: 'presentation' }, names.map((n) => el('span', {}, n)));
}

function attemptRow(a, before) {
  const mood = format.mood(a);
  return el('li', { id: `attempt-${a.seq}`, class: 'attempt', role: 'option', 'data-seq': a.seq, 'aria-selected': 'false' },
    el('span', { class: `state is-${mood}` }, icon(mood)),
    el('span', { class: 'cell-number mono' }, hidden('attempt '), a.attempt > 0 ? `#${a.attempt}` : '–'),
    el('span', { class: 'cell-time mono', title: a.at }, format.time(a.at)),
    gapCell(a, before),
    el('span', { class: 'cell-plan mono', title: format.visible(a.chosen) }, hidden('planned '), format.short(a.chosen, 60) || '–'),
    el('span', { class: `cell-answer mono is-${mood}` }, hidden('answered '), format.answer(a), a.reply_ns ? el('span', { class: 'dim' }, ` ${format.duration(a.reply_ns)}`) : null),
    el('span', { class: a.effect ? 'cell-effect' : 'cell-effect dim nothing' }, effect(a)),
    el('span', { class: 'badges' }, a.origin === 'harness' ? el('span', { class: 'badge' }, 'ours') : null, classBadge(a), signatureBadge(a.signature)));
}

function gapCell(a, before) {
  if (!before) return el('span', { class: 'cell-gap mono dim nothing' }, '–');
  const gap = gapOf(a, before);
  const cell = el('span', { class: 'cell-gap mono' }, hidden('after '), format.duration(gap));
  if (!a.window) return cell;
  const { min_ns: min, max_ns: max, ok } = a.window;
  cell.title = `the contract wants ${format.duration(min)} to ${format.duration(max)}`;
  const word = ok ? 'in window' : gap < min ? 'too early' : 'too late';
  cell.append(el('span', { class: `verdict is-${ok ? 'ok' : 'bad'}` }, icon(ok ? 'ok' : 'bad'), word));
  return cell;
}

export function effect(a) {
  return { committed: 'committed', 'rolled-back': 'rolled back', absorbed: 'absorbed' }[a.effect?.result] ?? format.visible(a.effect?.result ?? '–');
}
