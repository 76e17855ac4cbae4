// Light, dark, or as the system has it. The choice stays in this browser.

import { el, icon, replace } from './dom.js';

const store = 'hookassay-theme';
const next = { system: 'light', light: 'dark', dark: 'system' };

export function theme(button) {
  let chosen = Object.hasOwn(next, localStorage.getItem(store)) ? localStorage.getItem(store) : 'system';
  const apply = () => {
    if (chosen === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    replace(button, icon('theme'), el('span', { class: 'wide-only' }, `Theme: ${chosen}`));
    button.setAttribute('aria-label', `Theme: ${chosen}`);
    button.title = `Theme: ${chosen}`;
  };
  button.addEventListener('click', () => {
    chosen = next[chosen];
    localStorage.setItem(store, chosen);
    apply();
  });
  apply();
}
