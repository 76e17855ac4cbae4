// The steps of a plan as a list that can be put in order, by pointer and by keys. Equal neighbours are one row with a number.

import { el, icon, replace } from './dom.js';
import * as format from './format.js';

// maxRows bounds the list; a longer plan is for the text.
const maxRows = 200;

export class Builder {
  #runs = [];
  #tail = '';
  #at = -1; // the row that keys act on

  // onChange is told the new text.
  constructor(onChange) {
    this.onChange = onChange;
    this.node = el('ol', { class: 'steps', 'aria-label': 'Steps in order; Alt with an arrow key moves one, Delete removes it', onkeydown: (e) => this.#key(e), onfocusin: (e) => { this.#at = this.#indexOf(e.target); } });
  }

  // show takes steps and what stands behind them in the text, which is kept.
  show(steps, tail) {
    this.#runs = [];
    this.#tail = tail;
    for (const text of steps) {
      const last = this.#runs.at(-1);
      // A step that lasts for a time is not counted.
      if (last?.text === text && !/ for \S+$/.test(text)) last.times++;
      else this.#runs.push({ text, times: 1 });
    }
    this.#draw();
  }

  // add puts a step behind the one that has the focus, or at the end.
  add(text, times) {
    const at = this.#at >= 0 && this.#at < this.#runs.length ? this.#at + 1 : this.#runs.length;
    this.#runs.splice(at, 0, { text, times });
    this.#at = at;
    this.#changed();
  }

  #changed() {
    this.#draw();
    this.onChange(this.#runs.map((r) => (r.times > 1 ? `${r.text}*${r.times}` : r.text)).join(', ') + this.#tail);
  }

  #draw() {
    const focused = this.node.contains(document.activeElement);
    replace(this.node, this.#runs.slice(0, maxRows).map((run, i) => this.#row(run, i)),
      this.#runs.length > maxRows ? el('li', { class: 'dim' }, `and ${this.#runs.length - maxRows} more, in the text`) : null);
    if (focused) this.node.children[Math.min(this.#at, this.node.children.length - 1)]?.focus();
  }

  #row(run, i) {
    const last = i === this.#runs.length - 1;
    const button = (label, mark, act, off) => el('button', { type: 'button', class: 'quiet small', 'aria-label': `${label} step ${i + 1}`, tabindex: '-1', disabled: off, onclick: act }, icon(mark));
    return el('li', { class: 'step', tabindex: '0', 'data-index': i },
      el('span', { class: 'handle', 'aria-hidden': 'true', onpointerdown: (e) => this.#drag(e, i) }, '⋮⋮'),
      el('span', { class: 'step-text mono' }, format.short(run.text, 120)),
      run.times > 1 ? el('span', { class: 'badge' }, `× ${run.times}`) : null,
      last ? el('span', { class: 'dim' }, 'repeats') : null,
      el('span', { class: 'step-tools' },
        button('Move up', 'up', () => this.#move(i, i - 1), i === 0), button('Move down', 'down', () => this.#move(i, i + 1), last),
        button('Remove', 'bad', () => this.#remove(i), this.#runs.length === 1)));
  }

  #move(from, to) {
    if (to < 0 || to >= this.#runs.length || from === to) return;
    this.#runs.splice(to, 0, ...this.#runs.splice(from, 1));
    this.#at = to;
    this.#changed();
  }

  #remove(i) {
    if (this.#runs.length === 1) return; // a plan has at least one step
    this.#runs.splice(i, 1);
    this.#at = Math.min(i, this.#runs.length - 1);
    this.#changed();
  }

  #indexOf(node) {
    return Number(node.closest('.step')?.dataset.index ?? -1);
  }

  #key(e) {
    const i = this.#indexOf(e.target);
    if (i < 0 || !e.target.classList.contains('step')) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[e.key];
    if (e.key === 'Delete' || e.key === 'Backspace') this.#remove(i);
    else if (step && e.altKey) this.#move(i, i + step);
    else if (step) this.node.children[i + step]?.focus();
    else return;
    e.preventDefault();
  }

  // drag follows the pointer, a finger as well as a mouse, and swaps rows as it passes them.
  #drag(e, i) {
    e.preventDefault();
    this.#at = i;
    let from = i;
    const rows = () => [...this.node.querySelectorAll('.step')];
    rows()[i].classList.add('dragged');
    const move = (m) => {
      const to = rows().findIndex((r) => {
        const box = r.getBoundingClientRect();
        return m.clientY >= box.top && m.clientY < box.bottom;
      });
      if (to < 0 || to === from) return;
      this.#runs.splice(to, 0, ...this.#runs.splice(from, 1));
      from = to;
      this.#at = to;
      this.#draw();
      rows()[to].classList.add('dragged');
    };
    const drop = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', drop);
      window.removeEventListener('pointercancel', drop);
      this.#changed();
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', drop);
    window.addEventListener('pointercancel', drop);
  }
}
