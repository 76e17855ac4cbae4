// The figures at the top: acceptance, alarms, what the business side still owes, and troubles. A receiver that has none of a kind
// has no tile of it.

import { get, query } from './api.js';
import { open } from './dialog.js';
import { el, icon, replace } from './dom.js';
import * as format from './format.js';

// last is how many events acceptance looks at.
const last = 1000;

const orNothing = (promise) => promise.catch((err) => {
  if (err.status === 404) return null;
  throw err;
});

export class Tiles {
  constructor() {
    this.node = el('div', { class: 'tiles', role: 'group', 'aria-label': 'State of the receiver' });
  }

  async refresh(endpoint) {
    const [acceptance, alarms, inbox, troubles, status] = await Promise.all([
      orNothing(get(`/v1/acceptance${query({ endpoint, last })}`)),
      orNothing(get('/v1/alarms')),
      orNothing(get('/v1/inbox?limit=1')),
      orNothing(get('/v1/troubles?limit=50')),
      get('/v1/status'),
    ]);
    replace(this.node, acceptanceTile(acceptance), alarmTile(alarms), inboxTile(inbox), troubleTile(troubles?.troubles ?? [], status.lost));
    return status;
  }
}

function tile(label, value, mood, detail, onclick) {
  const parts = [el('span', { class: 'tile-label' }, label), el('span', { class: `tile-value is-${mood}` }, mood === 'none' ? null : icon(mood), value), detail ? el('span', { class: 'tile-detail' }, detail) : null];
  return onclick ? el('button', { type: 'button', class: 'tile', onclick }, parts) : el('div', { class: 'tile' }, parts);
}

function acceptanceTile(a) {
  if (!a || !(a.events > 0)) return tile('Acceptance', '–', 'none', 'no event yet');
  const rate = a.accepted / a.events;
  // Rounded down: 99.96 % is not all of them.
  const shown = rate === 1 ? '100 %' : `${(Math.floor(rate * 1000) / 10).toFixed(1)} %`;
  return tile('Acceptance', shown, rate >= 0.999 ? 'ok' : rate >= 0.99 ? 'warn' : 'bad', `${a.accepted} of ${format.count(a.events, 'event')}`);
}

function alarmTile(told) {
  if (!told) return null;
  const firing = (told.alarms ?? []).filter((a) => a.firing);
  const show = () => open('Alarms', el('ul', { class: 'plain' }, (told.alarms ?? []).map((a) => el('li', {},
    el('span', { class: `badge is-${a.firing ? 'bad' : 'ok'}` }, icon(a.firing ? 'bad' : 'ok'), a.firing ? 'firing' : 'quiet'), ' ', el('span', { class: 'mono' }, format.visible(a.name)), ' ', format.visible(a.detail ?? '')))));
  return tile('Alarms', firing.length ? String(firing.length) : 'quiet', firing.length ? 'bad' : 'ok', firing.length ? format.short(firing[0].name, 40) : null, show);
}

function inboxTile(told) {
  if (!told?.counts) return null;
  const { pending = 0, processing = 0, dead = 0 } = told.counts;
  return tile('Inbox', String(pending + processing), dead ? 'bad' : 'none', dead ? format.count(dead, 'dead letter') : 'no dead letter');
}

function troubleTile(troubles, lost) {
  if (!troubles.length && !lost) return null;
  const show = () => open('Troubles', el('div', {},
    lost ? el('p', { class: 'is-bad' }, `${format.count(lost, 'record')} could not be kept: what is shown here is not everything.`) : null,
    el('ul', { class: 'plain' }, troubles.map((t) => el('li', { class: 'mono' }, t.lost ? `${format.count(t.lost, 'record')} lost: ` : '', format.visible(t.what))))));
  return tile('Troubles', String(troubles.length), lost ? 'bad' : 'warn', lost ? format.count(lost, 'lost record') : 'of the receiver', show);
}
