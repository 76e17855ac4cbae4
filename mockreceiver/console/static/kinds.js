// The form that makes a step: a kind of fault, and its parameters. Kinds, meanings, examples and reasons come from the receiver.

import { el, replace } from './dom.js';

// statusCode is what a status has instead of a name: its number is the step's word.
const statusCode = { id: 'word', name: 'code', value: '502', meaning: 'the status' };

// often is what stands behind a step: a number, or a time.
const often = { id: 'often', name: 'how often', value: '3 or 30s', meaning: 'so many attempts in a row, or all within so long; one if left out' };

export class KindForm {
  #kinds = [];

  // onAdd is told a step's text and how many times it comes.
  constructor(onAdd) {
    this.select = el('select', { id: 'kind', onchange: () => this.#choose() });
    this.reason = el('p', { class: 'hint' });
    this.params = el('div', { class: 'params' });
    this.node = el('form', {
      class: 'kind-form', onsubmit: (e) => {
        e.preventDefault();
        const [text, times] = this.#step();
        onAdd(text, times);
      },
    }, el('label', { for: 'kind' }, 'What the receiver does'), el('div', { class: 'kind-row' }, this.select, el('button', { type: 'submit' }, 'Add step')), this.reason, this.params);
  }

  // fill offers the kinds that can stand in a plan of a level.
  fill(kinds, level) {
    this.#kinds = kinds.filter((k) => k.level === level);
    replace(this.select, this.#kinds.map((k) => el('option', { value: k.name }, k.name)));
    this.#choose();
  }

  get #kind() {
    return this.#kinds.find((k) => k.name === this.select.value);
  }

  #choose() {
    const kind = this.#kind;
    replace(this.reason, `${kind.reason}. Written `, el('code', {}, kind.form));
    const given = example(kind.form);
    const known = [...given.keys()].every((name) => kind.params.some((p) => p.name === name));
    replace(this.params,
      kind.name === 'status' ? row(statusCode, statusCode.value) : null,
      known ? kind.params.map((p) => row({ ...p, id: `arg:${p.name}` }, given.get(p.name) ?? '')) : freely(kind),
      row(often, ''));
  }

  // step reads the form: the text of a step, and how many times it comes.
  #step() {
    const values = [...this.params.querySelectorAll('input')].map((i) => [i.dataset.param, i.value.trim()]).filter(([, v]) => v !== '');
    const value = Object.fromEntries(values);
    const args = values.filter(([id]) => id.startsWith('arg:')).map(([id, v]) => (id === 'arg:' ? '' : `${id.slice(4)}=`) + argument(v));
    if (value.all) args.push(value.all);
    const word = value.word ?? this.#kind.name;
    const text = args.length ? `${word}(${args.join(', ')})` : word;
    if (/^\d+$/.test(value.often ?? '')) return [text, Math.max(1, Number(value.often))];
    return [value.often ? `${text} for ${value.often}` : text, 1];
  }
}

// example is what the receiver's example of a kind gives, by name; '' is the argument that has none.
function example(form) {
  const args = /\((.*)\)$/.exec(form)?.[1];
  return new Map(args ? args.split(', ').map((a) => (a.includes('=') ? [a.slice(0, a.indexOf('=')), a.slice(a.indexOf('=') + 1)] : ['', a])) : []);
}

// freely is one field for a kind whose arguments have names of their own.
function freely(kind) {
  const meaning = kind.params.map((p) => `${p.name || 'the last'}: ${p.meaning}`).join('; ');
  return row({ id: 'all', name: 'arguments', value: '', meaning }, /\((.*)\)$/.exec(kind.form)[1]);
}

function row(param, value) {
  const id = `param-${param.id}`;
  return el('div', { class: 'field-row' }, el('label', { for: id, class: 'mono' }, param.name || 'value'),
    el('input', { id, class: 'mono', autocomplete: 'off', spellcheck: 'false', 'data-param': param.id, value, placeholder: param.value }),
    el('p', { class: 'hint' }, param.meaning));
}

// argument puts a text in quotes where the grammar wants it.
function argument(text) {
  if (text.startsWith('"') || !/[\s,()="*]/.test(text)) return text;
  return JSON.stringify(text);
}
