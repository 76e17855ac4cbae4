// The form that asks for the receiver's token.

import { setToken } from './api.js';
import { field, form } from './dialog.js';
import { el, replace } from './dom.js';

// showTokenForm puts the form into a box; done is told once there is a token. wrong says that one was refused.
export function showTokenForm(box, wrong, done) {
  const token = el('input', { name: 'token', type: 'password', class: 'mono', required: true, autocomplete: 'off' });
  replace(box, el('section', { class: 'token', 'aria-label': 'Token' }, el('h2', {}, 'Token'),
    el('p', {}, wrong ? 'The receiver refused the token.' : 'This page needs the token of the receiver.', ' It printed an address with the token when it started.'),
    form([field('Token', token, 'Kept in this tab until it is closed.')], 'Open', async () => {
      setToken(token.value.trim());
      done();
    })));
  token.focus();
}
