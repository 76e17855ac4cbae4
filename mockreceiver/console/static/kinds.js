// The form that makes a step: a kind of fault, and its parameters. Kinds, meanings and reasons come from the receiver.

import { el, replace } from './dom.js';

// statusCode is what a status has instead of a name: its number is the step's word.
const statusCode = { name: 'code', value: '502', meaning: 'the status', word: true };

export class KindForm {
  #kinds = [];

  constructor(onAdd) {
    this.select = el('select', { id: 'kind', onchange: () => this.#choose() });
    this.reason = el('p', { class: 'hint' });
    this.params = el('div', { class: 'params' });
    this.node = el('form', {
      class: 'kind-form', onsubmit: (e) => {
        e.preventDefault();
        onAdd(this.#step());
      },
    }, el('label', { for: 'kind' }, 'What the receiver does'), this.select, this.reason, this.params,
      el('div', { class: 'actions' }, el('button', { type: 'submit' }, 'Add step')));
  }

  fill(kinds) {
    this.#kinds = kinds;
    const levels = Map.groupBy(kinds, (k) => k.level ?? '');
    replace(this.select, [...levels].map(([level, list]) => {
      const options = list.map((k) => el('option', { value: k.name }, k.name));
      return level ? el('optgroup', { label: level }, options) : options;
    }));
    this.#choose();
  }

  get #kind() {
    return this.#kinds.find((k) => k.name === this.select.value);
  }

  #choose() {
    const kind = this.#kind;
    this.reason.textContent = `${kind.reason}. Written ${kind.form}`;
    const params = kind.name === 'status' ? [statusCode, ...kind.params ?? []] : kind.params ?? [];
    replace(this.params, params.map((p, i) => {
      const id = `param-${i}`;
      // What has no name cannot be left out, mostly.
      const input = el('input', { id, class: 'mono', autocomplete: 'off', spellcheck: 'false', 'data-name': p.name ?? '', 'data-word': p.word, value: p.word || !p.name ? p.value : '', placeholder: p.value });
      return el('div', { class: 'field-row' }, el('label', { for: id, class: 'mono' }, p.name || 'value'), input, el('p', { class: 'hint' }, p.meaning));
    }));
  }

  #step() {
    const given = [...this.params.querySelectorAll('input')].filter((i) => i.value.trim() !== '');
    const word = given.find((i) => i.dataset.word !== undefined)?.value.trim() ?? this.#kind.name;
    const args = given.filter((i) => i.dataset.word === undefined).map((i) => (i.dataset.name ? `${i.dataset.name}=` : '') + argument(i.value.trim()));
    return args.length ? `${word}(${args.join(', ')})` : word;
  }
}

// argument puts a text in quotes where the grammar wants it.
function argument(text) {
  if (text.startsWith('"') || !/[\s,()="*]/.test(text)) return text;
  return JSON.stringify(text);
}
