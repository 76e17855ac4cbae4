// The inboxes: what the worker still owes, and what it gave up. A dead letter is tried again for a reason, which is kept.

import { get, post, query } from './api.js';
import { field, form, open } from './dialog.js';
import { el, hidden, icon, replace } from './dom.js';
import * as format from './format.js';
import { notice } from './notice.js';

// shown is how many items a look shows, dead letters first; the API has them all.
const shown = 50;

const moods = { pending: 'open', processing: 'open', completed: 'ok', dead: 'bad' };

// words are what people call the states.
const words = { dead: 'dead letter' };

export const moodOf = (item) => moods[item.state] ?? 'none';

export const wordOf = (item) => words[item.state] ?? format.visible(item.state);

export function inboxBadge(item) {
  return el('span', { class: `badge is-${moodOf(item)}`, title: format.visible(item.failure) || null }, icon(moodOf(item)), hidden('inbox: '), wordOf(item));
}

// inbox opens the inboxes of an endpoint, or of all. onChange is told after an item was tried again.
export async function inbox(endpoint, onChange = () => {}) {
  const list = el('ul', { class: 'plain items' });
  const box = open(endpoint ? `Inbox of ${format.short(endpoint, 40)}` : 'Inbox', list, { wide: true });
  const draw = async () => {
    const told = await Promise.all(['dead', 'processing', 'pending', 'completed'].map((state) => get(`/v1/inbox${query({ endpoint, state, limit: shown })}`)));
    const items = told.flatMap((t) => t.items).slice(0, shown);
    replace(list, items.map((item) => row(item, () => {
      onChange();
      return draw();
    })), items.length ? null : el('li', { class: 'dim' }, 'Nothing is in it.'));
  };
  try {
    await draw();
  } catch (err) {
    box.close();
    throw err;
  }
}

function row(item, again) {
  return el('li', {},
    el('div', { class: 'item-head' }, inboxBadge(item), el('span', { class: 'mono strong' }, format.short(item.event)),
      el('span', { class: 'dim' }, 'at ', el('span', { class: 'mono' }, format.short(item.endpoint, 40)), item.type ? [', ', el('span', { class: 'mono' }, format.short(item.type, 40))] : null),
      el('span', { class: 'spring' }), item.state === 'dead' ? el('button', { type: 'button', onclick: () => tryAgain(item, again) }, 'Try again') : null),
    el('p', { class: 'hint' }, told(item)));
}

// told says in words what became of an item so far.
export function told(item) {
  return [
    item.state === 'processing' ? `try ${item.tries + 1} under way` : item.tries ? format.count(item.tries, 'try', 'tries') : 'not tried yet',
    item.state === 'pending' && item.due ? `due ${format.when(item.due)}` : `since ${format.when(item.changed)}`,
    item.failure ? `last failure: ${format.visible(item.failure)}` : '',
    item.reason ? `taken up again by hand: ${format.visible(item.reason)}` : '',
  ].filter(Boolean).join(' · ');
}

// tryAgain asks for a reason and takes a dead letter up again.
export function tryAgain(item, onDone) {
  const reason = el('input', { name: 'reason', required: true, maxlength: 500, autocomplete: 'off', placeholder: 'such as: the printer has paper' });
  const box = open('Try again', form([
    el('p', {}, 'The worker takes up ', el('span', { class: 'mono' }, format.short(item.event, 60)), ' again, as often as a new event.'),
    field('Reason', reason, 'Kept with the item.'),
  ], 'Try again', async () => {
    await post(`/v1/inbox/${item.id}/retry`, { reason: reason.value });
    box.close();
    notice(`${format.short(item.event, 40)} is tried again`);
    await onDone();
  }));
  reason.focus();
}
