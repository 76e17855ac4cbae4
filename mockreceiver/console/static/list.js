// The list of events. Rows are made once and patched; the focus stays on the list itself (aria-activedescendant), so that a row
// that moves up does not take it away.

import { el, hidden, icon, replace, setText } from './dom.js';
import * as format from './format.js';
import { inboxBadge } from './inbox.js';
import { inboxOf, sorted, stateOf } from './store.js';

const stateIcon = { delivered: 'ok', received: 'warn', failing: 'bad', open: 'open', unknown: 'warn', handshake: 'none', 'dead letter': 'bad' };

// shownAnswers is how many of an event's answers a row shows, the newest last: a narrow phone has room for so many.
const shownAnswers = 5;
const answersRoom = 24; // characters

export class List {
  #rows = new Map();
  #chosen = '';
  #marked; // the row of #chosen, where it is drawn
  #number = 0;

  constructor(onChoose) {
    this.onChoose = onChoose;
    this.node = el('ul', {
      id: 'events', class: 'events', role: 'listbox', tabindex: '0', 'aria-label': 'Events, newest first',
      onkeydown: (e) => this.#key(e),
      onclick: (e) => {
        const row = e.target.closest('[role=option]');
        if (row) this.choose(row, 'click');
      },
    });
  }

  // show makes the rows agree with events, in their order.
  show(events) {
    const wanted = new Set(events.map((e) => e.id));
    for (const [id, row] of this.#rows) {
      if (!wanted.has(id)) {
        row.node.remove();
        this.#rows.delete(id);
      }
    }
    let before = this.node.firstElementChild;
    for (const event of events) {
      let row = this.#rows.get(event.id);
      if (!row) {
        row = new Row(`event-${++this.#number}`);
        this.#rows.set(event.id, row);
      }
      row.patch(event);
      if (row.node === before) before = before.nextElementSibling;
      else this.node.insertBefore(row.node, before);
    }
    this.mark(this.#chosen);
  }

  // mark shows which event is open.
  mark(id) {
    this.#chosen = id;
    const chosen = this.#rows.get(id)?.node;
    if (chosen === this.#marked) return;
    this.#marked?.setAttribute('aria-selected', 'false');
    chosen?.setAttribute('aria-selected', 'true');
    this.#marked = chosen;
    if (chosen) this.node.setAttribute('aria-activedescendant', chosen.id);
    else this.node.removeAttribute('aria-activedescendant');
  }

  // choose tells how it came: move, click or enter.
  choose(node, how) {
    for (const [id, row] of this.#rows) {
      if (row.node !== node) continue;
      this.mark(id);
      node.scrollIntoView({ block: 'nearest' });
      this.onChoose(row.event, how);
    }
  }

  #key(e) {
    const rows = [...this.node.children];
    const at = rows.findIndex((r) => r.getAttribute('aria-selected') === 'true');
    const to = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: rows.length - 1, PageDown: at + 10, PageUp: at - 10 }[e.key];
    if (to !== undefined && rows.length) {
      e.preventDefault();
      this.choose(rows[Math.min(Math.max(to, 0), rows.length - 1)], 'move');
    } else if ((e.key === 'Enter' || e.key === 'ArrowRight') && at >= 0) {
      e.preventDefault();
      this.choose(rows[at], 'enter');
    }
  }
}

// Row is one event's line.
class Row {
  #parts;
  #drawn = 0;

  constructor(id) {
    const part = (cls) => el('span', { class: cls });
    this.#parts = { state: part('state'), key: part('key mono'), time: part('time mono'), answers: part('answers mono'), count: part('count'), facts: part('facts'), badges: part('badges') };
    const { state, key, time, answers, count, facts, badges } = this.#parts;
    this.node = el('li', { id, role: 'option', class: 'event fresh', 'aria-selected': 'false' }, state,
      el('span', { class: 'event-top' }, key, time),
      el('span', { class: 'event-sub' }, answers, count, facts, badges));
  }

  patch(event) {
    this.event = event;
    if (event.version === this.#drawn) return; // most rows stay as they are when one changes
    this.#drawn = event.version;
    const all = sorted(event);
    const last = all.at(-1);
    const item = inboxOf(event);
    // A dead letter was delivered, and nothing came of it.
    const state = item?.state === 'dead' ? 'dead letter' : stateOf(event);
    const p = this.#parts;
    p.state.className = `state is-${stateIcon[state]}`;
    p.state.title = state;
    replace(p.state, icon(stateIcon[state]), hidden(`${state}: `));
    setText(p.key, format.short(event.key) || '(no id)');
    setText(p.time, format.when(last.at));
    replace(p.answers, answersOf(all));
    setText(p.count, format.count(event.count, state === 'handshake' ? 'request' : 'attempt'));
    replace(p.facts, event.endpoint ? el('span', { class: 'mono' }, format.short(event.endpoint, 24)) : 'no endpoint',
      last.type ? [' · ', el('span', { class: 'mono' }, format.short(last.type, 32))] : null);
    // That an attempt is a retry, its number says; that all is done, the mark.
    replace(p.badges, item && item.state !== 'completed' ? inboxBadge(item) : null, last.class === 'retry' ? null : classBadge(last, true), signatureBadge(last.signature));
  }
}

// answersOf are the last answers, as many as fit, with a sign for those before.
function answersOf(attempts) {
  const words = [];
  let room = answersRoom;
  for (const a of attempts.slice(-shownAnswers).reverse()) {
    const text = format.answer(a);
    room -= text.length + 3;
    if (room < 0 && words.length > 0) break;
    words.unshift(el('span', { class: `answer is-${format.mood(a)}` }, text));
  }
  return words.length < attempts.length ? [el('span', { class: 'answer dim' }, '…'), words] : words;
}

// meanings are what the classes say, and shorter names where there is little room.
const meanings = {
  retry: ['', 'the sender tried again'],
  'duplicate-after-success': ['duplicate', 'it came again although an attempt had got its 2xx'],
  'concurrent-duplicate': ['concurrent', 'it came while another attempt of the event was still open'],
  'transport-replay': ['replay', 'an HTTP library sent the same bytes again by itself, right after a connection broke'],
  reordered: ['', 'a newer event of the same key had come before'],
  injected: ['ours', 'a copy that the receiver sent to itself'],
  handshake: ['', 'the provider asked whether it may deliver: no attempt of an event'],
  unhandled: ['', 'no endpoint and no plan dealt with it'],
};

// classBadge names an attempt's class, unless it is the plain one.
export function classBadge(a, brief = false) {
  if (!a.class || a.class === 'first') return null;
  const [short, meaning] = meanings[a.class] ?? [];
  const plain = a.class === 'retry' || a.fault === 'handshake';
  return el('span', { class: plain ? 'badge' : 'badge is-warn', title: `${format.visible(a.class)}${meaning ? `: ${meaning}` : ''}` }, (brief && short) || format.visible(a.class));
}

const signatureMood = { verified: 'ok', stale: 'warn', failed: 'bad', missing: 'bad' };

export function signatureBadge(signature) {
  if (!signature?.state || signature.state === 'unchecked') return null;
  const mood = signatureMood[signature.state] ?? 'none';
  return el('span', { class: `badge is-${mood}`, title: format.visible(signature.reason) || null },
    icon(mood), hidden('signature '), format.visible(signature.state));
}
