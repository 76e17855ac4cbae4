// The inboxes: what the worker still owes, and what it gave up. A dead letter is tried again for a reason, which is kept.

import { get, post, query } from './api.js';
import { field, form, open } from './dialog.js';
import { el, icon, replace } from './dom.js';
import * as format from './format.js';
import { notice } from './notice.js';

// shown is how many items a look shows, dead letters first; the API has them all.
const shown = 50;

const moods = { pending: 'open', processing: 'open', completed: 'ok', dead: 'bad' };

export async function inbox(endpoint) {
  const list = el('ul', { class: 'plain' });
  const box = open('Inbox', list, { wide: true });
  const draw = async () => {
    const told = await Promise.all(['dead', 'processing', 'pending', 'completed'].map((state) => get(`/v1/inbox${query({ endpoint, state, limit: shown })}`)));
    const items = told.flatMap((t) => t.items).slice(0, shown);
    replace(list, items.map((item) => row(item, draw)), items.length ? null : el('li', { class: 'dim' }, 'Nothing is in it.'));
  };
  try {
    await draw();
  } catch (err) {
    box.close();
    throw err;
  }
}

function row(item, again) {
  const mood = moods[item.state] ?? 'none';
  return el('li', {},
    el('p', {}, el('span', { class: `badge is-${mood}` }, icon(mood), format.visible(item.state)), ' ',
      el('span', { class: 'mono strong' }, format.short(item.event)), ' at ', el('span', { class: 'mono' }, format.short(item.endpoint, 40)), item.type ? [', ', el('span', { class: 'mono' }, format.short(item.type, 40))] : null),
    el('p', { class: 'hint' }, `${format.count(item.failures, 'failed try', 'failed tries')}, ${format.time(item.changed)}`, item.failure ? `, the last: ${format.visible(item.failure)}` : '', item.reason ? `; retried by hand: ${format.visible(item.reason)}` : ''),
    item.state === 'dead' ? retry(item, again) : null);
}

function retry(item, again) {
  const reason = el('input', { name: `reason-${item.id}`, required: true, maxlength: 500, autocomplete: 'off' });
  return form([field('Reason', reason)], 'Try again', async () => {
    await post(`/v1/inbox/${item.id}/retry`, { reason: reason.value });
    notice(`${format.short(item.event, 40)} is tried again`);
    await again();
  });
}
