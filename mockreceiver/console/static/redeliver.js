// Sending a stored request again. Its reason is kept with the arrival, so that whoever reads the journal knows why.

import { post } from './api.js';
import { field, form, open } from './dialog.js';
import { el } from './dom.js';
import * as format from './format.js';

export function redeliver(a, onDone) {
  const reason = el('input', { name: 'reason', required: true, maxlength: 500, autocomplete: 'off', placeholder: 'such as: the worker was down' });
  const box = open('Re-deliver', form([
    el('p', {}, 'The head and body of ', el('span', { class: 'mono' }, `seq ${a.seq}`), ' go to ', el('span', { class: 'mono' }, format.short(a.endpoint, 40)),
      ' again, byte by byte, over a connection of the receiver\'s own. It counts as no attempt of the sender.'),
    field('Reason', reason, 'Kept with the copy.'),
  ], 'Re-deliver', async () => {
    await post(`/v1/attempts/${a.seq}/redeliver`, { reason: reason.value });
    box.close();
    onDone();
  }));
  reason.focus();
}
