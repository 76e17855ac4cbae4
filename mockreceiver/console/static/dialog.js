// Dialogs: the browser's own, which keep the focus, close with Esc and give the focus back.

import { el } from './dom.js';

// open shows a dialog with a title; it is gone once closed. onClose is told.
export function open(title, content, { wide = false, onClose = () => {} } = {}) {
  const name = el('h2', { id: 'dialog-title' }, title);
  const node = el('dialog', {
    class: wide ? 'wide' : '', 'aria-labelledby': 'dialog-title',
    onclose: () => {
      node.remove();
      onClose();
    },
    // A press beside the box closes it, as people expect; one that began inside and slid out does not.
    onmousedown: (e) => {
      if (e.target === node) node.close();
    },
  }, el('div', { class: 'dialog-box' },
    el('div', { class: 'dialog-head' }, name, el('button', { type: 'button', class: 'quiet', onclick: () => node.close() }, 'Close')),
    content));
  document.body.append(node);
  node.showModal();
  return node;
}

export const isOpen = () => document.querySelector('dialog[open]') !== null;

// form is a form whose answer goes to submit; what that throws is shown above the button.
export function form(fields, label, submit) {
  const error = el('p', { class: 'error', role: 'alert', hidden: true });
  const button = el('button', { type: 'submit', class: 'primary' }, label);
  return el('form', {
    async onsubmit(e) {
      e.preventDefault();
      error.hidden = true;
      button.disabled = true;
      try {
        await submit(new FormData(e.target));
      } catch (err) {
        error.textContent = err.message;
        error.hidden = false;
      } finally {
        button.disabled = false;
      }
    },
  }, fields, error, el('div', { class: 'actions end' }, button));
}

export function field(label, input, hint) {
  input.id ||= `field-${input.name}`;
  return el('div', { class: 'field-row' }, el('label', { for: input.id }, label), input, hint ? el('p', { class: 'hint' }, hint) : null);
}
