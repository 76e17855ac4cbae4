// Plans by match of an endpoint: the first whose expression holds is played, before the plan of the event and of the endpoint.

import { put } from './api.js';
import { el, icon, replace } from './dom.js';
import * as format from './format.js';

export class Rules {
  #address = '';

  constructor() {
    this.summary = el('summary', {});
    this.list = el('ol', { class: 'rule-list' });
    this.said = el('p', { class: 'said', role: 'status' });
    this.button = el('button', { type: 'button', id: 'set-rules', onclick: () => this.#apply() }, 'Set matches');
    this.node = el('details', { class: 'rules' }, this.summary,
      el('p', { class: 'hint' }, 'A jq expression over ', ...['.method', '.path', '.query', '.header["name"][0]', '.body', '.key', '.attempt'].flatMap((w, i) => [i ? ', ' : '', el('code', {}, w)]), '. The first that holds goes before all other plans.'),
      this.list, this.said,
      el('div', { class: 'actions' }, el('button', { type: 'button', class: 'quiet', id: 'add-rule', onclick: () => this.#add() }, 'Add a match'), el('span', { class: 'spring' }), this.button));
  }

  // show takes the rules of the endpoint at an address of the API.
  show(address, rules) {
    this.#address = address;
    this.#count(rules.length);
    replace(this.list, rules.map((r) => this.#row(r.match, r.plan)));
    this.#changed(false);
  }

  #count(n) {
    replace(this.summary, n ? `${format.count(n, 'plan')} by match before this one` : 'Plans by match');
  }

  #changed(is) {
    this.button.disabled = !is;
    this.#say('', false);
  }

  #row(match, plan) {
    const input = (name, label, value, example) => el('input', { class: 'mono', name, 'aria-label': label, value, placeholder: example, autocomplete: 'off', spellcheck: 'false', oninput: () => this.#changed(true) });
    const row = el('li', { class: 'rule' }, input('match', 'Match', match, '.body.type == "order.paid"'), el('span', { class: 'dim', 'aria-hidden': 'true' }, '→'), input('rule-plan', 'Plan of the match', plan, '502, 200'),
      el('button', {
        type: 'button', class: 'quiet small', 'aria-label': 'Remove the match', onclick: () => {
          row.remove();
          this.#changed(true);
        },
      }, icon('bad')));
    return row;
  }

  #add() {
    this.list.append(this.#row('', ''));
    this.list.lastElementChild.querySelector('input').focus();
    this.#changed(true);
  }

  async #apply() {
    const rules = [...this.list.children].map((row) => ({ match: row.querySelector('[name=match]').value, plan: row.querySelector('[name=rule-plan]').value }));
    try {
      const told = await put(`${this.#address}/rules`, { rules });
      this.show(this.#address, told.rules ?? []);
      this.#say(rules.length ? 'Set. Their counts begin at one.' : 'There is no match any more.', false);
    } catch (err) {
      this.#say(err.message, true);
    }
  }

  #say(text, bad) {
    this.said.hidden = text === '';
    this.said.className = bad ? 'said is-bad' : 'said is-ok';
    this.said.textContent = format.visible(text);
  }
}
