// One attempt: what came, whether its signature holds, what was answered, over which connection; and what can be done with it.

import { get, request } from './api.js';
import { BodyView } from './body.js';
import * as bytes from './bytes.js';
import { copyButton, el, icon, replace } from './dom.js';
import { DiffView } from './diff.js';
import * as format from './format.js';
import { effect } from './event.js';
import { signatureBadge } from './list.js';
import { watch } from './notice.js';

export const views = ['request', 'signature', 'answer', 'connection', 'diff'];
const names = { request: 'Request', signature: 'Signature', answer: 'Answer', connection: 'Connection', diff: 'Diff' };

export class AttemptView {
  #seq = 0;
  #detail = null;
  #view = 'request';
  #siblings = [];

  constructor({ onView, onRedeliver, onWith }) {
    this.on = { onView, onRedeliver };
    this.title = el('h3', {});
    this.because = el('p', { class: 'because dim' });
    this.tools = el('div', { class: 'actions' },
      copyButton('Copy as curl', () => this.curl()),
      el('button', { type: 'button', class: 'quiet', 'aria-keyshortcuts': 'r', onclick: () => this.redeliver() }, 'Re-deliver'));
    this.tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Of this attempt', onkeydown: (e) => this.#key(e) },
      views.map((v) => el('button', {
        type: 'button', role: 'tab', id: `tab-${v}`, 'aria-controls': 'panel', 'data-view': v, onclick: () => this.view(v, true),
      }, names[v])));
    this.panel = el('div', { id: 'panel', class: 'panel', role: 'tabpanel' });
    this.body = new BodyView();
    this.diff = new DiffView(onWith);
    this.node = el('section', { class: 'attempt-view', 'aria-label': 'Attempt', hidden: true },
      el('div', { class: 'attempt-head' }, this.title, this.tools), this.because, this.tabs, this.panel);
  }

  async show(seq, { view, other, siblings }) {
    this.#seq = seq;
    this.#siblings = siblings;
    this.node.hidden = false;
    this.diff.choose(other);
    const detail = await get(`/v1/attempts/${seq}`);
    if (seq !== this.#seq) return;
    this.#detail = detail;
    this.title.textContent = detail.attempt > 0 ? `Attempt ${detail.attempt}` : 'Request';
    this.title.append(el('span', { class: 'dim mono' }, ` seq ${detail.seq}`));
    this.because.textContent = [detail.class === 'first' ? '' : detail.class, detail.class_because].filter(Boolean).map(format.visible).join(': ');
    this.view(view || this.#view, false);
  }

  // refresh is for an attempt whose outcome came while it was open.
  async refresh(siblings) {
    this.#siblings = siblings;
    if (!this.#seq || this.#detail?.end) return;
    await this.show(this.#seq, { view: this.#view, other: this.diff.other, siblings });
  }

  hide() {
    this.#seq = 0;
    this.#detail = null;
    this.node.hidden = true;
  }

  async curl() {
    return (await request('GET', `/v1/attempts/${this.#seq}/curl`)).text();
  }

  redeliver() {
    if (this.#detail) this.on.onRedeliver(this.#detail);
  }

  view(v, tell) {
    this.#view = views.includes(v) ? v : 'request';
    for (const tab of this.tabs.children) {
      const chosen = tab.dataset.view === this.#view;
      tab.setAttribute('aria-selected', chosen);
      tab.tabIndex = chosen ? 0 : -1;
    }
    this.panel.setAttribute('aria-labelledby', `tab-${this.#view}`);
    if (tell) this.on.onView(this.#view);
    if (this.#detail) watch(this.#draw());
  }

  async #draw() {
    const a = this.#detail;
    switch (this.#view) {
      case 'signature': return replace(this.panel, signaturePanel(a));
      case 'answer': return replace(this.panel, answerPanel(a));
      case 'connection': return replace(this.panel, connectionPanel(a));
      case 'diff':
        replace(this.panel, this.diff.node);
        return this.diff.show(a, this.#siblings);
      default:
        replace(this.panel, headBlock(a), this.body.node, trailerBlock(a));
        return this.body.show(a);
    }
  }

  #key(e) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    const tabs = [...this.tabs.children];
    const to = tabs[(views.indexOf(this.#view) + step + tabs.length) % tabs.length];
    this.view(to.dataset.view, true);
    to.focus();
  }
}

// raw is text as the API gives bytes: base64.
const raw = (b64) => bytes.text(bytes.fromBase64(b64));

function headBlock(a) {
  const head = raw(a.head);
  const text = el('pre', { class: 'raw head', tabindex: '0', role: 'region', 'aria-label': 'Head' });
  // A carriage return before its line feed is how a head is written; anywhere else it is shown.
  head.replaceAll('\r\n', '\n').replace(/\n+$/, '').split('\n').forEach((line, i) => {
    const colon = line.indexOf(':');
    if (i > 0) text.append('\n');
    if (i === 0 || colon < 1) text.append(el('span', { class: i === 0 ? 'strong' : '' }, format.lines(line)));
    else text.append(el('span', { class: 'field' }, format.lines(line.slice(0, colon))), ':', format.lines(line.slice(colon + 1)));
  });
  return el('section', { class: 'block', 'aria-label': 'Head' },
    el('div', { class: 'block-head' }, el('h4', {}, 'Head'), el('span', { class: 'dim' }, 'as received, order and case kept'), el('span', { class: 'spring' }), copyButton('Copy', () => head)),
    text);
}

// trailerBlock is for the fields behind the body, which few senders have.
function trailerBlock(a) {
  if (!a.trailer) return null;
  const trailer = raw(a.trailer);
  return el('section', { class: 'block', 'aria-label': 'Trailer' },
    el('div', { class: 'block-head' }, el('h4', {}, 'Trailer'), el('span', { class: 'dim' }, 'fields behind the body, as received'), el('span', { class: 'spring' }), copyButton('Copy', () => trailer)),
    el('pre', { class: 'raw', tabindex: '0', role: 'region', 'aria-label': 'Trailer' }, format.lines(trailer.replaceAll('\r\n', '\n').replace(/\n+$/, ''))));
}

// facts is a list of names and values; rows without a value are left out.
function facts(rows) {
  return el('dl', { class: 'facts-list' }, rows.filter(([, v]) => v !== undefined && v !== null && v !== '').map(([name, value, mono]) =>
    [el('dt', {}, name), el('dd', { class: mono === false ? '' : 'mono' }, value instanceof Node ? value : format.visible(value))]));
}

function signaturePanel(a) {
  const s = a.signature ?? { state: 'unchecked' };
  const explain = {
    unchecked: 'Nothing was checked: the endpoint has no secret, or the body is not all there.',
    verified: 'A key of the endpoint signed exactly the received bytes, and the signed time is within tolerance.',
    stale: 'A key of the endpoint signed exactly the received bytes, but the signed time is out of tolerance.',
    missing: 'The request carries no signature.',
    failed: 'No key of the endpoint made this signature over the received bytes.',
  }[s.state];
  const d = a.signature_detail ?? {};
  return [
    el('p', { class: 'lead' }, signatureBadge(s) ?? el('span', { class: 'badge' }, 'unchecked'), ' ', explain ?? ''),
    facts([
      ['Reason', s.state === 'verified' ? '' : d.reason || s.reason], ['In detail', d.detail || (d.reason ? '' : s.reason), false], ['Cause', d.causes?.join(', ')],
      ['Signed at', d.signed_at && `${format.time(d.signed_at)} (${d.signed_at})`], ['As received', d.signed_at_text],
      ['Age at arrival', d.signed_at ? format.duration(d.age_ns) : ''],
      ['Made with', d.keys?.length ? d.keys.map((k) => `secret ${k + 1}`).join(', ') : '', false],
    ]),
    d.signed ? el('section', { class: 'block', 'aria-label': 'Signed string' },
      el('div', { class: 'block-head' }, el('h4', {}, 'Signed string'), el('span', { class: 'dim' }, 'the exact bytes that the signature covers'), el('span', { class: 'spring' }), copyButton('Copy', () => raw(d.signed))),
      el('pre', { class: 'raw', tabindex: '0' }, format.lines(raw(d.signed))),
      d.signed_size > d.signed.length * 3 / 4 + 3 ? el('p', { class: 'note' }, `The first bytes of ${format.bytes(d.signed_size)}.`) : null) : null,
  ];
}

function answerPanel(a) {
  const o = a.outcome;
  if (!o) return el('p', { class: 'lead' }, icon('open'), ' No outcome yet: the request is open, or the receiver ended before it was written down.');
  const head = [o.status ? `${o.status}` : 'no status line', ...(o.header ?? []).map(([k, v]) => `${k}: ${v}`)].join('\n');
  return [
    facts([
      ['Handshake', a.handshake || undefined], ['Planned', a.chosen], ['Acted out', o.fault], ['Status', o.status || 'none written'],
      ['End', { complete: 'complete: the answer was written to its last byte', reset: 'we reset the connection', closed: 'we closed the connection', 'peer-gone': 'the sender hung up first', shutdown: 'the receiver was closed' }[o.end] ?? o.end, false],
      ['Answered after', a.reply_ns ? format.duration(a.reply_ns) : undefined], ['Held on purpose', o.delay_ns ? format.duration(o.delay_ns) : undefined],
      ['Business write', `${effect(a)}${a.effect?.rows !== undefined ? `, ${format.count(a.effect.rows, 'row')} for its key` : ''}`, false],
    ]),
    el('section', { class: 'block', 'aria-label': 'Answer' },
      el('div', { class: 'block-head' }, el('h4', {}, 'Head of the answer'), o.body_size ? el('span', { class: 'dim' }, `body of ${format.bytes(o.body_size)}`) : null),
      el('pre', { class: 'raw', tabindex: '0' }, format.lines(head), o.body ? ['\n\n', format.lines(answerBody(o.body))] : null)),
  ];
}

// answerBody is evidence.Raw: text, or {"base64": …} where it is no UTF-8.
const answerBody = (b) => (typeof b === 'string' ? b : raw(b.base64));

function connectionPanel(a) {
  const c = a.connection ?? {};
  const tls = c.tls;
  return facts([
    ['Connection', a.conn], ['Request on it', a.conn_request], ['Protocol', a.proto || c.proto], ['From', c.remote], ['To', c.local],
    ['Opened', c.opened_ns !== undefined ? `${format.duration(a.offset_ns - c.opened_ns)} before the request` : undefined, false],
    ['TLS', tls ? tls.version : 'none', Boolean(tls)], ['Cipher', tls?.cipher], ['Server name', tls?.sni], ['ALPN', tls?.alpn], ['Session resumed', tls ? (tls.resumed ? 'yes' : 'no') : '', false],
    ['Stream', c.stream], ['Listener', c.listener],
    ['Origin', a.origin === 'harness' ? 'ours: a copy that this receiver sent' : 'the sender', false], ['Why re-delivered', a.reason, false],
    ['Known by', a.key_from], ['SHA-256 of body', a.body_sha256], ['Method', a.method], ['Path', a.path],
  ]);
}
