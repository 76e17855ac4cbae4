// Making an endpoint. A secret is typed into a password field, sent once, and kept nowhere in the page.

import { post } from './api.js';
import { field, form, open } from './dialog.js';
import { el } from './dom.js';
import * as format from './format.js';
import { notice } from './notice.js';

const modes = [
  ['', 'transaction: a 2xx follows the commit of the write'], ['inbox', 'inbox: a 2xx follows the entry, a worker does the rest'], ['none', 'none: nothing but the record'],
];

// endpointForm is the form; onDone is told the new endpoint's name.
export function endpointForm(name, onDone) {
  const text = (props) => el('input', { autocomplete: 'off', spellcheck: 'false', ...props });
  const inputs = {
    name: text({ name: 'name', required: true, value: name, placeholder: 'orders' }),
    path: text({ name: 'path', class: 'mono', placeholder: '/hooks/NAME' }),
    plan: text({ name: 'plan', class: 'mono', value: '200' }),
    business: el('select', { name: 'business' }, modes.map(([value, label]) => el('option', { value }, label))),
    scheme: text({ name: 'scheme', class: 'mono', placeholder: 'such as timestamp-v1' }),
    secret: text({ name: 'secret', type: 'password', class: 'mono', autocomplete: 'new-password' }),
    reject: el('input', { name: 'reject', type: 'checkbox', id: 'field-reject' }),
  };
  const signed = el('details', { class: 'more' }, el('summary', {}, 'Check signatures'),
    el('div', { class: 'field-pair' }, field('Scheme', inputs.scheme, 'hookassay list schemes has them.'), field('Secret', inputs.secret, 'Sent once, and never shown again.')),
    el('label', { class: 'check', for: 'field-reject' }, inputs.reject, ' Answer 401 where a signature is missing, wrong or stale'));
  return form([
    el('div', { class: 'field-pair' }, field('Name', inputs.name), field('Path', inputs.path, 'Left empty, it is made of the name.')),
    field('Plan', inputs.plan, 'What its events are answered, attempt by attempt; the last step repeats.'),
    field('Business side', inputs.business), signed,
  ], 'Add endpoint', async () => {
    const value = (of) => inputs[of].value.trim();
    const verify = value('secret') || value('scheme') ? { scheme: value('scheme'), secrets: [inputs.secret.value], reject: inputs.reject.checked } : undefined;
    await post('/v1/endpoints', { name: value('name'), path: value('path') || undefined, plan: value('plan') || '200', business: value('business') || undefined, verify });
    inputs.secret.value = '';
    notice(`Endpoint ${format.short(value('name'), 40)} added`);
    await onDone(value('name'));
  });
}

export function addEndpoint(onDone) {
  const box = open('Add an endpoint', endpointForm('', async (name) => {
    box.close();
    await onDone(name);
  }));
  box.querySelector('[name=name]').focus();
}
