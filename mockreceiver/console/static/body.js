// A request's body three ways. A large one is read and shown in part; the whole of it is a download.

import { request } from './api.js';
import * as bytes from './bytes.js';
import { el, replace, save } from './dom.js';
import * as format from './format.js';
import { layOut } from './json.js';
import { watch } from './notice.js';

const firstPart = 64 << 10; // shown at once: more than a person reads, little enough to lay out in a frame
const nextPart = 1 << 20; // shown on request
const hexPart = 16 << 10; // one byte of a body is four characters of hex
const maxColoured = 4000; // tokens with an element of their own; the rest is plain text

// read returns at most limit bytes of a request's body, and whether that is all. The rest is never fetched.
async function read(seq, limit) {
  const response = await request('GET', `/v1/attempts/${seq}/body`);
  const reader = response.body.getReader();
  const parts = [];
  let size = 0;
  while (size < limit) {
    const { value, done } = await reader.read();
    if (done) return { body: join(parts, size), whole: true };
    parts.push(value);
    size += value.length;
  }
  const { done } = size === limit ? await reader.read() : { done: false };
  await reader.cancel();
  return { body: join(parts, size).subarray(0, limit), whole: done };
}

function join(parts, size) {
  const all = new Uint8Array(size);
  let at = 0;
  for (const p of parts) {
    all.set(p, at);
    at += p.length;
  }
  return all;
}

// download saves the whole body.
async function download(seq) {
  const response = await request('GET', `/v1/attempts/${seq}/body`);
  save(`attempt-${seq}.bin`, await response.arrayBuffer());
}

export class BodyView {
  #mode = 'pretty';
  #part = null;
  #seq = 0;
  #size = 0;

  constructor() {
    this.note = el('p', { class: 'note', role: 'status' });
    this.text = el('pre', { class: 'raw', tabindex: '0', role: 'region', 'aria-label': 'Body' });
    this.modes = el('div', { class: 'segments', role: 'group', 'aria-label': 'Show body as' },
      ['pretty', 'text', 'hex'].map((mode) => el('button', {
        type: 'button', 'data-mode': mode, 'aria-pressed': mode === this.#mode, onclick: () => this.#setMode(mode),
      }, { pretty: 'JSON', text: 'Text', hex: 'Hex' }[mode])));
    this.save = el('button', { type: 'button', class: 'quiet', onclick: () => watch(download(this.#seq)) }, 'Download');
    this.more = el('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => watch(this.#load(nextPart)) }, 'Show more');
    this.facts = el('span', { class: 'dim' });
    this.node = el('section', { class: 'block', 'aria-label': 'Body' },
      el('div', { class: 'block-head' }, el('h4', {}, 'Body'), this.facts, el('span', { class: 'spring' }), this.modes, this.save),
      this.note, this.text, this.more);
  }

  async show(a) {
    this.#seq = a.seq;
    this.#size = a.body_size;
    this.facts.textContent = `${format.bytes(a.body_size)}${a.content_type ? `, ${format.short(a.content_type, 60)}` : ''}`;
    this.save.hidden = a.body_size === 0;
    await this.#load(firstPart);
  }

  async #load(limit) {
    const seq = this.#seq;
    const part = await read(seq, limit);
    if (seq !== this.#seq) return;
    this.#part = part;
    this.#draw();
  }

  #setMode(mode) {
    this.#mode = mode;
    for (const b of this.modes.children) b.setAttribute('aria-pressed', b.dataset.mode === mode);
    this.#draw();
  }

  #draw() {
    if (this.#part === null) return; // it is on its way, and drawn when it is here
    const { body, whole } = this.#part;
    const notes = [];
    if (!whole) notes.push(`The first ${format.bytes(body.length)} of ${format.bytes(this.#size)}; the download has what was kept.`);
    this.more.hidden = whole || body.length >= nextPart;
    if (body.length === 0) replace(this.text, el('span', { class: 'dim' }, 'empty'));
    else if (this.#mode === 'hex') this.#drawHex(body, notes);
    else this.#drawText(body, whole, notes);
    this.note.textContent = notes.join(' ');
  }

  #drawHex(body, notes) {
    if (body.length > hexPart) notes.push(`Hex of the first ${format.bytes(hexPart)}.`);
    const perRow = window.matchMedia('(max-width: 700px)').matches ? 8 : 16;
    replace(this.text, bytes.hex(body.subarray(0, hexPart), perRow));
  }

  #drawText(body, whole, notes) {
    const text = bytes.text(body);
    if (this.#mode === 'pretty') {
      const laid = layOut(text);
      if (laid.tokens) {
        replace(this.text, coloured(laid.tokens));
        return;
      }
      notes.push(whole ? `Not JSON (character ${laid.at + 1}: ${laid.error}), so this is its text.` : 'Too large to lay out, so this is its text.');
    }
    replace(this.text, format.lines(text));
  }
}

function coloured(tokens) {
  const part = document.createDocumentFragment();
  const rest = [];
  tokens.forEach((t, i) => {
    if (i >= maxColoured) rest.push(t.text);
    else if (t.kind === 'mark') part.append(t.text);
    else part.append(el('span', { class: `json-${t.kind}` }, format.lines(t.text)));
  });
  part.append(format.lines(rest.join('')));
  return part;
}
