// What the page shows while no event is open: where to send events, and with what command.

import { copyButton, el, replace, save } from './dom.js';
import { addEndpoint, endpointForm } from './endpoint.js';
import * as format from './format.js';

// shownEndpoints bounds the list: a run of the harness has hundreds.
const shownEndpoints = 8;

const caFile = 'hookassay-ca.pem';

// curl is a command that sends an event of its own each time, so that each is a first attempt.
function curl(endpoint, status) {
  const tls = endpoint.url.startsWith('https:');
  return [
    'curl -i',
    tls && status.ca ? ` --cacert ${caFile}` : '',
    ` ${quote(endpoint.url)} \\\n`,
    ` -H 'Content-Type: application/json' \\\n`,
    ` -d '{"id":"evt_'$(date +%s)'","type":"order.paid","data":{"total":"12.50"}}'`,
  ].join('');
}

const quote = (s) => (/^[\w@%+=:,./-]+$/.test(s) ? s : `'${s.replaceAll("'", `'\\''`)}'`);

export class Home {
  constructor({ onPlan, onAdded }) {
    this.on = { onPlan, onAdded };
    this.node = el('div', { class: 'home' });
  }

  // show takes the endpoint that the command is for by its name; without one it is the first.
  show({ endpoints, status, empty, endpoint }) {
    const first = endpoints.find((e) => e.name === endpoint) ?? endpoints[0];
    const title = empty ? 'Waiting for the first event' : 'Choose an event';
    replace(this.node,
      el('h2', {}, title),
      el('p', { class: 'dim' }, empty ? 'Point a sender at an endpoint, or send one by hand. It shows up here as it arrives.' : 'Its attempts, their bytes and their answers open here. Press ? for the shortcuts.'),
      first ? command(first, status) : null,
      first ? this.#list(endpoints) : this.#adder());
  }

  #list(endpoints) {
    const beyond = endpoints.length - shownEndpoints;
    return el('section', { class: 'block', 'aria-label': 'Endpoints' },
      el('div', { class: 'block-head' }, el('h4', {}, 'Endpoints'), el('span', { class: 'dim' }, String(endpoints.length)), el('span', { class: 'spring' }),
        el('button', { type: 'button', class: 'quiet', id: 'add-endpoint', onclick: () => addEndpoint(() => this.on.onAdded()) }, 'Add endpoint')),
      el('ul', { class: 'endpoints' }, endpoints.slice(0, shownEndpoints).map((e) => el('li', {},
        el('span', { class: 'mono strong' }, format.short(e.name, 40)),
        el('span', { class: 'mono url' }, format.visible(e.url)),
        el('span', { class: 'mono dim plan-text', title: format.visible(e.plan) }, format.short(e.plan, 60), e.rules?.length ? el('span', { class: 'badge' }, format.count(e.rules.length, 'match', 'matches')) : null),
        el('span', { class: 'actions' }, copyButton('Copy URL', () => e.url), el('button', { type: 'button', class: 'quiet', onclick: () => this.on.onPlan(e.name, '') }, 'Plan'))))),
      beyond > 0 ? el('p', { class: 'note' }, `and ${beyond} more`) : null);
  }

  #adder() {
    return el('section', { class: 'block pad', 'aria-label': 'Add an endpoint' },
      el('h4', {}, 'There is no endpoint yet'), endpointForm('orders', () => this.on.onAdded()));
  }
}

function command(endpoint, status) {
  const text = curl(endpoint, status);
  return el('section', { class: 'block', 'aria-label': 'Send an event' },
    el('div', { class: 'block-head' }, el('h4', {}, 'Send an event'), el('span', { class: 'spring' }),
      status.ca ? el('button', { type: 'button', class: 'quiet', onclick: () => save(caFile, status.ca) }, `Save ${caFile}`) : null, copyButton('Copy', () => text)),
    el('pre', { id: 'first-curl', class: 'raw', tabindex: '0' }, format.lines(text)),
    endpoint.verify ? el('p', { class: 'note' }, 'The endpoint checks signatures, and this request has none.') : null);
}
