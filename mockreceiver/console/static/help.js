// The keys to press, and what the marks mean.

import { open } from './dialog.js';
import { el, icon } from './dom.js';

const keys = [
  ['↑ ↓', 'move in a list'], ['Enter', 'open the event; its attempts follow'], ['← or Esc', 'back to the events; close a dialog'],
  ['/', 'filter'], ['p', 'plan of what is open'], ['r', 're-deliver the open attempt'], ['d', 'diff with another attempt'], ['c', 'copy the open attempt as curl'],
  ['s', 'stop or resume live view'], ['?', 'this help'],
];

const marks = [
  ['ok', 'delivered: an attempt was answered with a 2xx, to its last byte'], ['bad', 'failing: no attempt was, so far; or a dead letter of an inbox'], ['open', 'open: the attempt is not yet answered'],
  ['warn', 'received: no attempt was, but the business side has the event; or unknown: the receiver ended before it could record how the attempt ended'],
];

export function help() {
  open('Shortcuts and marks', el('div', { class: 'help' },
    el('dl', { class: 'facts-list' }, keys.map(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)])),
    el('dl', { class: 'facts-list' }, marks.map(([mark, what]) => [el('dt', { class: `is-${mark}` }, icon(mark)), el('dd', {}, what)])),
    el('p', { class: 'dim' }, 'On the timeline each gap has a scale of its own; the shaded band is when the contract allows the next attempt.')));
}
