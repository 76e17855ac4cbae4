// What two attempts of one event differ in, line by line. The receiver compares; this shows.

import { get } from './api.js';
import { el, hidden, replace } from './dom.js';
import * as format from './format.js';
import { watch } from './notice.js';

const signs = { '+': 'added', '-': 'removed' };

export class DiffView {
  #a = null;
  #other = 0;

  constructor(onWith) {
    this.select = el('select', {
      id: 'diff-with', onchange: () => {
        this.#other = Number(this.select.value);
        onWith(this.#other);
        watch(this.#load());
      },
    });
    this.out = el('div', { class: 'diff', 'aria-live': 'polite' });
    this.node = el('div', {}, el('p', { class: 'lead' }, el('label', { for: 'diff-with' }, 'Compare with '), this.select), this.out);
  }

  get other() {
    return this.#other;
  }

  choose(seq) {
    this.#other = Number(seq) || 0;
  }

  show(a, siblings) {
    this.#a = a;
    const others = siblings.filter((s) => s.seq !== a.seq);
    if (!others.some((s) => s.seq === this.#other)) {
      // The attempt before it is what one wants to compare with, mostly.
      this.#other = (others.filter((s) => s.seq < a.seq).at(-1) ?? others[0])?.seq ?? 0;
    }
    replace(this.select, others.map((s) => el('option', { value: s.seq }, `${s.attempt > 0 ? `attempt ${s.attempt}` : 'copy'}, ${format.time(s.at)}, ${format.answer(s)}`)));
    this.select.value = String(this.#other);
    return this.#load();
  }

  async #load() {
    if (!this.#other) {
      replace(this.out, el('p', { class: 'dim' }, 'There is no other attempt of this event to compare with.'));
      return;
    }
    // The older one is what was, whichever of the two is open.
    const [older, newer] = [this.#a.seq, this.#other].sort((x, y) => x - y);
    const told = await get(`/v1/attempts/${newer}/diff?with=${older}`);
    replace(this.out,
      block('Head', told.head),
      told.same_body ? el('p', { class: 'note' }, 'The bodies are the same, byte by byte.')
        : told.body_cut ? el('p', { class: 'note' }, 'The bodies differ, and are too large to compare by lines.') : block('Body', told.body));
  }
}

function block(title, lines) {
  // A head ends with an empty line, which says nothing.
  const list = lines.at(-1)?.line === '' ? lines.slice(0, -1) : lines;
  const changed = list.filter((l) => signs[l.op]).length;
  return el('section', { class: 'block', 'aria-label': title },
    el('div', { class: 'block-head' }, el('h4', {}, title), el('span', { class: 'dim' }, changed ? format.count(changed, 'changed line') : 'no difference')),
    el('div', { class: 'raw diff-lines', tabindex: '0' }, list.map((l) => {
      const kind = signs[l.op];
      return el('div', { class: `line ${kind ?? ''}` }, el('span', { class: 'sign' }, { added: '+', removed: '−' }[kind] ?? ' '), hidden(kind ? `${kind} ` : ''), el('span', {}, format.lines(l.line)));
    })));
}
