// One event: its timeline and its attempts. What is known from the stream is shown at once; gaps and windows come with the
// receiver's own account of the event.

import { get, path } from './api.js';
import { copyButton, el, hidden, icon, replace, setText } from './dom.js';
import * as format from './format.js';
import { inbox, inboxBadge, moodOf, told, tryAgain, wordOf } from './inbox.js';
import { classBadge, signatureBadge } from './list.js';
import { watch } from './notice.js';
import { inboxOf, sorted, stateOf } from './store.js';
import { choose as chooseOnTimeline, gapOf, timeline } from './timeline.js';

const stateMood = { delivered: 'ok', received: 'warn', failing: 'bad', open: 'open', unknown: 'warn', handshake: 'none' };

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
    this.stock = el('div', { class: 'stock', hidden: true });
    this.time = el('div', { class: 'timeline-box' });
    this.width = 0;
    new ResizeObserver(() => this.#drawTime(false)).observe(this.time);
    this.list = el('ul', {
      id: 'attempts', class: 'attempts', role: 'listbox', tabindex: '0', 'aria-label': 'Attempts, oldest first',
      onkeydown: (e) => this.#key(e),
      onclick: (e) => {
        const row = e.target.closest('[role=option]');
        if (row) this.#choose(Number(row.dataset.seq));
      },
    });
    this.node = el('div', { class: 'event-view' }, this.head, this.stock, this.time, this.list);
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
    this.#drawTime(true);
    replace(this.list, columnNames(), attempts.map((a, i) => attemptRow(a, attempts[i - 1])));
    this.mark(this.#chosen);
  }

  // drawTime draws the timeline; without anything new only where its card has another width.
  #drawTime(fresh) {
    const attempts = this.#attempts;
    // One attempt has no gaps to draw.
    this.time.hidden = attempts.length < 2;
    const width = this.time.clientWidth || narrowest;
    if (this.time.hidden || (!fresh && width === this.width)) return;
    this.width = width;
    const scrolled = this.time.firstElementChild?.scrollLeft ?? 0;
    replace(this.time, timeline(attempts, width - 2, (seq) => this.#choose(seq))); // the card has an edge of a pixel
    this.time.firstElementChild.scrollLeft = scrolled;
    chooseOnTimeline(this.node, this.#chosen);
  }

  // drawStock shows where the event stands in its endpoint's inbox, if it is in one.
  #drawStock(item) {
    this.stock.hidden = !item;
    if (!item) return;
    this.stock.className = `stock is-${moodOf(item)}`;
    replace(this.stock, inboxBadge(item), el('span', { class: 'stock-text' }, told(item)), el('span', { class: 'actions' },
      item.state === 'dead' ? el('button', { type: 'button', id: 'try-again', onclick: () => tryAgain(item, () => this.refresh()) }, 'Try again') : null,
      el('button', { type: 'button', class: 'quiet', onclick: () => watch(inbox(item.endpoint, () => watch(this.refresh()))) }, 'Inbox')));
  }

  #drawHead() {
    const event = this.#shown;
    const all = this.#attempts;
    const drawn = { attempts: new Map(all.map((a) => [a.seq, a])) };
    const state = stateOf(drawn);
    this.#drawStock(inboxOf(drawn));
    const type = all.at(-1)?.type;
    setText(this.title, format.short(event.key, 160) || '(no id)');
    this.title.title = format.visible(event.key);
    this.planButton.hidden = !event.endpoint || !event.key;
    replace(this.facts,
      el('span', { class: `badge is-${stateMood[state]}` }, icon(stateMood[state]), state),
      el('span', {}, format.count(Math.max(0, event.count ?? 0, all.filter((a) => a.origin === '').length), 'attempt'), span(all)),
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

// span is from the first attempt to the last.
function span(all) {
  const own = all.filter((a) => a.origin === '');
  if (own.length < 2) return null;
  return ` over ${format.duration((new Date(own.at(-1).at) - new Date(own[0].at)) * 1e6)}`;
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
    el('span', { class: 'cell-time mono', title: a.at }, format.when(a.at)),
    gapCell(a, before),
    el('span', { class: 'cell-plan mono', title: format.visible(a.chosen) }, hidden('planned '), format.short(a.chosen, 60) || '–'),
    el('span', { class: `cell-answer mono is-${mood}` }, hidden('answered '), format.answer(a), a.reply_ns ? el('span', { class: 'dim' }, ` ${format.duration(a.reply_ns)}`) : null),
    el('span', { class: a.effect ? `cell-effect${a.effect.inbox?.state === 'dead' ? ' is-bad' : ''}` : 'cell-effect dim nothing', title: a.effect ? effect(a) : null }, a.effect?.inbox ? wordOf(a.effect.inbox) : effect(a)),
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

// effect is what the business side did; of what it queued, where it stands now.
export function effect(a) {
  if (a.effect?.inbox) return `queued, ${wordOf(a.effect.inbox)}`;
  return { committed: 'committed', 'rolled-back': 'rolled back', absorbed: 'absorbed' }[a.effect?.result] ?? format.visible(a.effect?.result ?? '–');
}
