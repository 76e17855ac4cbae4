// The page's wiring: who is told what. Views make their own parts of the document; the state lives in the store and the address.

import * as api from './api.js';
import { AttemptView } from './attempt.js';
import { isOpen } from './dialog.js';
import { copyText, el, replace, setText } from './dom.js';
import { EventView } from './event.js';
import { Filters } from './filters.js';
import * as format from './format.js';
import { help } from './help.js';
import { Home } from './home.js';
import { keys } from './keys.js';
import { List } from './list.js';
import { notice, watch } from './notice.js';
import { PlanEditor } from './plan.js';
import { redeliver } from './redeliver.js';
import * as route from './route.js';
import { idOf, matches, maxEvents, Store } from './store.js';
import { Stream } from './stream.js';
import { theme } from './theme.js';
import { Tiles } from './tiles.js';
import { showTokenForm } from './token.js';

const pageSize = 200; // attempts asked for at once
const owedPages = 5; // of events that the inboxes hold: as many as the list draws
const drawEvery = 60; // ms between two drawings while attempts pour in: faster than an eye, slower than a burst
const drawShare = 4; // a drawing takes a fifth of the time at most: on a slow machine the list is late and the page still answers
const tilesEvery = 4000; // ms between two looks at the figures
const dozeAfter = 60_000; // ms that a page may be out of sight before it lets go of the stream
const announceEvery = 3000; // ms between two words to a screen reader

const at = (id) => document.getElementById(id);

class Page {
  #store = new Store();
  #place = route.read();
  #endpoints = [];
  #status = {};
  #more = null; // the cursor of older attempts; null: there are none
  #dirty = new Set();
  #unsaid = 0;
  #drawing = 0;
  #drawCost = 0; // ms that the last drawing took
  #open = null; // the id of the event in view

  constructor() {
    this.tiles = new Tiles(() => watch(this.#refreshQueued()));
    this.filters = new Filters((v) => this.#filter(v));
    this.list = new List((event, how) => this.#choose(event, how));
    this.older = el('button', { type: 'button', class: 'older', hidden: true, onclick: () => watch(this.#loadOlder()) }, 'Load older');
    this.full = el('p', { class: 'dim none', hidden: true }, `These are the newest ${maxEvents} events. Older ones come up with a filter.`);
    this.none = el('p', { class: 'dim none', hidden: true });
    this.event = new EventView({ onAttempt: (seq) => this.#chooseAttempt(seq, true), onPlan: (e, k) => this.plan(e, k), onBack: () => this.back() });
    this.attempt = new AttemptView({
      onView: (view) => this.#go({ view }), onWith: (seq) => this.#go({ with: String(seq) }),
      onRedeliver: (a) => redeliver(a, () => notice('Sent again')),
    });
    this.home = new Home({ onPlan: (e, k) => this.plan(e, k), onAdded: () => this.#loadEndpoints() });
    this.detail = el('section', { class: 'detail', id: 'detail', 'aria-label': 'Details' });
    this.stream = new Stream({
      onState: (state, why) => this.#live(state, why), onOpen: () => watch(this.#reload()), onEvent: (name, data) => this.#told(name, data),
    });
  }

  start() {
    replace(at('main'), el('section', { class: 'side', 'aria-label': 'Events' }, this.tiles.node, this.filters.node, this.list.node, this.none, this.older, this.full), this.detail);
    replace(this.detail, this.home.node);
    this.filters.set(this.#place);
    at('plan').hidden = false;
    this.stream.start();
    this.timer ??= setInterval(() => document.hidden || !api.token() || watch(this.#loadTiles()), tilesEvery);
  }

  // askToken shows the form for a token instead of everything else.
  askToken(wrong) {
    this.stream.stop();
    this.#live('locked');
    at('plan').hidden = true;
    showTokenForm(at('main'), wrong, () => {
      this.#store.clear();
      this.start();
    });
  }

  // reload asks for what is newest. It runs at each connect, so that nothing is missing whatever happened before.
  async #reload() {
    await Promise.all([this.#loadEndpoints(), this.#loadPage(), this.#loadTiles()]);
    await this.#arrive();
  }

  async #loadPage(before) {
    const page = await this.#page(before);
    // Where the newest reach what is known, the cursor stays at the oldest known.
    const meets = !before && page.attempts.some((a) => this.#store.has(a));
    for (const a of page.attempts) this.#store.add(a);
    if (!meets) this.#more = page.next;
    this.#draw();
  }

  #page(before) {
    const f = Object.fromEntries(route.filters.map((name) => [name, this.#place[name]]));
    return api.get(`/v1/attempts${api.query({ ...f, before, limit: pageSize })}`);
  }

  #loadOlder() {
    return this.#loadPage(this.#more);
  }

  async #loadEndpoints() {
    this.#endpoints = (await api.get('/v1/endpoints')).endpoints;
    this.filters.endpoints(this.#endpoints);
    this.#drawHome();
  }

  // endpointChanged looks anew at what an endpoint has: it may have been reset.
  async #endpointChanged(name) {
    await this.#loadEndpoints();
    this.#store.drop(name);
    await this.#loadPage();
  }

  async #loadTiles() {
    this.#status = await this.tiles.refresh(this.#place.endpoint);
    this.#drawHome();
  }

  // refreshQueued looks anew at events that the inboxes hold, back to the oldest that is not done.
  async #refreshQueued() {
    const oldest = this.#store.oldestOwed();
    let before;
    for (let pages = 0; oldest && pages < owedPages; pages++) {
      const page = await this.#page(before);
      for (const a of page.attempts) this.#store.add(a);
      if (!page.next || page.next <= oldest) break;
      before = page.next;
    }
    if (!oldest) return;
    this.#draw();
    if (this.#open) await this.event.refresh();
  }

  // told takes in what the stream says, and draws after a moment.
  #told(name, data) {
    if (name === 'gap') return watch(this.#loadPage());
    if (name === 'endpoint') return watch(this.#endpointChanged(data.name));
    if (name === 'trouble') return watch(this.#loadTiles());
    if (name !== 'attempt') return undefined;
    const known = this.#store.has(data);
    if (!known && !matches(data, this.#place)) return undefined;
    const event = this.#store.add(data);
    this.#dirty.add(event.id);
    if (!known) this.#unsaid++;
    this.#drawing ||= setTimeout(() => this.#drawNews(), Math.max(drawEvery, drawShare * this.#drawCost));
    return undefined;
  }

  #drawNews() {
    this.#drawing = 0;
    const begun = performance.now();
    this.#draw();
    this.#drawCost = performance.now() - begun;
    if (this.#open && this.#dirty.has(this.#open)) watch(this.#refreshOpen());
    this.#dirty.clear();
    this.#announce();
  }

  #announce() {
    this.said ??= 0;
    if (this.saying || this.#unsaid === 0) return;
    this.saying = setTimeout(() => {
      this.saying = 0;
      setText(at('announce'), format.count(this.#unsaid, 'new attempt'));
      this.#unsaid = 0;
    }, announceEvery);
  }

  #draw() {
    const events = this.#store.list();
    this.list.show(events);
    const full = events.length >= maxEvents;
    this.older.hidden = !this.#more || full;
    this.full.hidden = !full;
    const filtered = this.#filtered;
    this.none.hidden = events.length > 0;
    setText(this.none, filtered ? 'No event passes the filters.' : 'Nothing has arrived yet.');
    at('main').classList.toggle('empty', events.length === 0 && !filtered);
    this.#drawHome();
  }

  get #filtered() {
    return route.filters.some((f) => this.#place[f]);
  }

  #drawHome() {
    const home = { endpoints: this.#endpoints, status: this.#status, empty: this.#store.size === 0 && !this.#filtered, endpoint: this.#likely };
    const drawn = JSON.stringify([home.endpoints, home.status.ca, home.empty, home.endpoint]);
    if (drawn === this.homeDrawn) return;
    this.homeDrawn = drawn;
    this.home.show(home);
  }

  // likely is the endpoint that people mean who name none: of what is open, of what is filtered, or where something came last.
  get #likely() {
    return this.#place['open-endpoint'] || this.#place.endpoint || this.#store.newest()?.endpoint || '';
  }

  #go(change, options) {
    this.#place = { ...this.#place, ...change };
    route.write(this.#place, options);
  }

  #filter(values) {
    this.#go(values);
    this.#store.clear();
    watch(Promise.all([this.#loadPage(), this.#loadTiles()]));
  }

  // arrive opens what the address says.
  async #arrive() {
    const { 'open-endpoint': endpoint, 'open-event': key, attempt } = this.#place;
    if (!key && !attempt) return this.#showHome();
    const event = this.#store.get(endpoint, key) ?? { id: idOf(endpoint, key), endpoint, key, attempts: new Map(), newest: 0, count: 0 };
    at('main').dataset.open = 'detail';
    await this.#show(event, Number(attempt));
    return undefined;
  }

  #showHome() {
    this.#open = null;
    this.list.mark('');
    this.attempt.hide();
    at('main').dataset.open = 'list';
    if (this.detail.firstChild !== this.home.node) replace(this.detail, this.home.node);
  }

  // choose opens an event that was moved to, clicked or entered. On a narrow page the list stays while one moves in it.
  #choose(event, how) {
    const newest = Math.max(...event.attempts.keys());
    const step = this.#open === null;
    this.#go({ 'open-endpoint': event.endpoint, 'open-event': event.key, attempt: String(newest), with: '' }, { step });
    if (how !== 'move') at('main').dataset.open = 'detail';
    const inside = how === 'enter' || !this.list.node.checkVisibility();
    watch(this.#show(event, newest).then(() => inside && this.event.list.focus({ preventScroll: true })));
  }

  async #show(event, seq) {
    const fresh = this.#open !== event.id;
    this.#open = event.id;
    this.list.mark(event.id);
    if (this.detail.firstChild !== this.event.node) replace(this.detail, this.event.node, this.attempt.node);
    if (fresh) this.detail.scrollTop = 0;
    await this.event.show(event, seq);
    if (this.#open === event.id) await this.#chooseAttempt(seq || this.event.attempts.at(-1)?.seq, false);
  }

  #chooseAttempt(seq, tell) {
    if (!seq) return this.attempt.hide();
    if (tell) this.#go({ attempt: String(seq), with: '' });
    this.event.mark(seq);
    return watch(this.attempt.show(seq, { view: this.#place.view, other: this.#place.with, siblings: this.event.attempts }));
  }

  async #refreshOpen() {
    await this.event.refresh();
    await this.attempt.refresh(this.event.attempts);
  }

  back() {
    this.#go({ 'open-endpoint': '', 'open-event': '', attempt: '', with: '' });
    const left = this.#open;
    this.#showHome();
    this.list.mark(left);
    this.list.node.focus({ preventScroll: true });
  }

  plan(endpoint, key) {
    watch(new PlanEditor(this.#endpoints, (what) => {
      notice(what);
      watch(this.#loadEndpoints());
    }).open(endpoint || this.#likely, key ?? (endpoint === undefined ? '' : key)));
  }

  moved() {
    this.#place = route.read();
    this.filters.set(this.#place);
    this.#store.clear();
    watch(this.#loadPage().then(() => this.#arrive()));
  }

  #live(state, why) {
    this.state = state;
    at('live').dataset.state = state;
    setText(at('live-word'), { live: 'Live', reconnecting: 'Reconnecting', stopped: 'Stopped', locked: 'No token' }[state]);
    at('live').disabled = state === 'locked';
    at('live').title = (why ? `${why}. ` : '') + ({ stopped: 'Resume (s)', locked: 'The page needs the receiver\'s token' }[state] ?? 'Stop (s)');
  }

  toggleLive() {
    if (this.state === 'locked') return;
    if (this.state === 'stopped') this.stream.start();
    else this.stream.stop();
  }

  // sleep lets go of the stream while nobody looks: a browser has six connections to a receiver for all its pages together, those
  // kept for the back button included. wake takes it up again where it was.
  sleep() {
    this.asleep = this.state !== 'stopped' && this.state !== 'locked';
    if (this.asleep) this.stream.stop();
  }

  wake() {
    clearTimeout(this.dozing);
    if (this.asleep && api.token()) this.stream.start();
    this.asleep = false;
  }

  hiddenOrShown() {
    if (!document.hidden) return this.wake();
    this.dozing = setTimeout(() => this.sleep(), dozeAfter);
    return undefined;
  }

  async copyCurl() {
    if (this.attempt.node.hidden) return;
    notice((await copyText(await this.attempt.curl())) ? 'Copied as curl' : 'Not copied');
  }
}

const page = new Page();
api.onRefused(() => page.askToken(api.token() !== ''));
addEventListener('popstate', () => page.moved());
addEventListener('pagehide', () => page.sleep());
addEventListener('pageshow', (e) => e.persisted && page.wake());
document.addEventListener('visibilitychange', () => page.hiddenOrShown());
at('live').addEventListener('click', () => page.toggleLive());
at('plan').addEventListener('click', () => page.plan());
at('help').addEventListener('click', help);
at('skip').addEventListener('click', () => page.list.node.focus());
theme(at('theme'));
keys(page, isOpen);
if (api.token()) page.start();
else page.askToken(false);
