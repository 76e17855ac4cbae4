// The figures at the top: acceptance, alarms, what the business side still owes, and troubles. A receiver that has none of a kind
// has no tile of it.

import { get, query } from './api.js';
import { open } from './dialog.js';
import { el, icon, replace } from './dom.js';
import * as format from './format.js';
import { inbox } from './inbox.js';
import { watch } from './notice.js';

// last is how many events acceptance looks at.
const last = 1000;

// absent are the paths that this receiver has not; they are asked for once.
const absent = new Set();

async function orNothing(path) {
  if (absent.has(path)) return null;
  try {
    return await get(path);
  } catch (err) {
    if (err.status !== 404) throw err;
    absent.add(path);
    return null;
  }
}

export class Tiles {
  // onInbox is told when something moved in an inbox.
  constructor(onInbox) {
    this.onInbox = onInbox;
    this.node = el('div', { class: 'tiles', role: 'group', 'aria-label': 'State of the receiver' });
  }

  async refresh(endpoint) {
    const [acceptance, alarms, stock, troubles, status] = await Promise.all([
      orNothing(`/v1/acceptance${query({ endpoint, last })}`),
      orNothing('/v1/alarms'),
      orNothing('/v1/inbox?limit=1'),
      orNothing('/v1/troubles?limit=50'),
      get('/v1/status'),
    ]);
    this.#moved(stock);
    replace(this.node, acceptanceTile(acceptance), alarmTile(alarms), inboxTile(stock, endpoint, this.onInbox), troubleTile(troubles?.troubles ?? [], Boolean(troubles?.next), status.lost));
    return status;
  }

  // moved compares how much stands where with what it was.
  #moved(stock) {
    const counts = JSON.stringify(stock?.counts ?? {});
    if (this.counts !== undefined && this.counts !== counts) this.onInbox();
    this.counts = counts;
  }
}

function tile(label, value, mood, detail, onclick) {
  const parts = [el('span', { class: 'tile-label' }, label), el('span', { class: `tile-value is-${mood}` }, mood === 'none' ? null : icon(mood), value), el('span', { class: 'tile-detail', title: detail }, detail)];
  return onclick ? el('button', { type: 'button', class: 'tile', onclick }, parts) : el('div', { class: 'tile' }, parts);
}

function acceptanceTile(a) {
  if (!a) return null; // the receiver has no contract to go by
  if (!a.events) return tile('Acceptance', '–', 'none', 'no event yet');
  // Rounded down: 99.96 % is not all of them.
  const shown = a.rate === 1 ? '100 %' : `${(Math.floor(a.rate * 1000) / 10).toFixed(1)} %`;
  const mood = a.rate >= a.threshold ? 'ok' : a.pending ? 'warn' : 'bad';
  return tile('Acceptance', shown, mood, `of ${format.count(a.events, 'event')}`, () => open('Acceptance', el('div', {},
    el('p', {}, `The contract promises ${Number((a.threshold * 100).toPrecision(6))} %.`, a.sample_sufficient ? '' : ' There are too few events to hold it to that.'),
    el('dl', { class: 'facts-list' }, [
      ['Events', a.events], ['At the first try', a.delivered_first_try], ['After a retry', a.delivered_after_retry], ['Dead-lettered', a.dead_lettered],
      ['By replay', a.delivered_by_replay], ['Pending', a.pending], ['Came again after success', a.duplicate_events], ['Missing', a.missing_ids?.length],
    ].filter(([, n]) => n !== undefined).map(([name, n]) => [el('dt', {}, name), el('dd', { class: 'mono' }, String(n))])))));
}

const alarmMood = { ok: 'ok', warn: 'warn', firing: 'bad', unknown: 'none' };

function alarmTile(told) {
  if (!told) return null;
  const badge = (state) => el('span', { class: `badge is-${alarmMood[state]}` }, icon(alarmMood[state] ?? 'none'), format.visible(state));
  const show = () => open('Alarms', el('ul', { class: 'plain' }, told.alarms.map((a) => el('li', {},
    badge(a.state), ' ', el('span', { class: 'mono strong' }, format.visible(a.name)), el('p', {}, format.visible(a.because)), el('p', { class: 'hint' }, 'Fires ', format.visible(a.fires), '.')))));
  const loud = told.alarms.filter((a) => a.state === 'firing' || a.state === 'warn');
  if (!loud.length) return tile('Alarms', 'quiet', 'ok', format.count(told.alarms.length, 'rule'), show);
  return tile('Alarms', String(loud.length), alarmMood[told.worst] ?? 'bad', loud.map((a) => format.short(a.name, 40)).join(', '), show);
}

function inboxTile(told, endpoint, onChange) {
  const counts = told?.counts;
  if (!counts) return null;
  const { pending = 0, processing = 0, completed = 0, dead = 0 } = counts;
  if (pending + processing + completed + dead === 0) return null; // no endpoint has an inbox
  const owed = pending + processing;
  const show = () => watch(inbox(endpoint, onChange));
  if (dead) return tile('Inbox', String(dead), 'bad', owed ? `dead, ${owed} to do` : dead === 1 ? 'dead letter' : 'dead letters', show);
  if (owed) return tile('Inbox', String(owed), 'open', `to do, ${completed} done`, show);
  return tile('Inbox', String(completed), 'ok', 'all done', show);
}

function troubleTile(troubles, more, lost) {
  if (!troubles.length && !lost) return null;
  const show = () => open('Troubles', el('div', {},
    lost ? el('p', { class: 'is-bad' }, `${format.count(lost, 'record')} could not be kept: what is shown here is not everything.`) : null,
    el('ul', { class: 'plain' }, troubles.map((t) => el('li', { class: 'mono' }, t.lost ? `${format.count(t.lost, 'record')} lost: ` : '', format.visible(t.what))))));
  return tile('Troubles', `${troubles.length}${more ? '+' : ''}`, lost ? 'bad' : 'warn', lost ? format.count(lost, 'lost record') : 'of the receiver', show);
}
