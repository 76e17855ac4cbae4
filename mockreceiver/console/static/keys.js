// Single keys, where no text is being typed and no dialog is open.

import { help } from './help.js';

export function keys(page, isOpen) {
  const actions = {
    '/': () => page.filters.event.focus(),
    p: () => page.plan(),
    r: () => page.attempt.redeliver(),
    d: () => page.attempt.node.hidden || page.attempt.view('diff', true),
    c: () => page.copyCurl(),
    s: () => page.toggleLive(),
    '?': help,
    Escape: () => page.back(),
  };
  document.addEventListener('keydown', (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || isOpen()) return;
    const typing = e.target.closest('input, textarea, select');
    if (typing && e.key === 'Escape') {
      typing.blur();
      page.list.node.focus();
      return;
    }
    if (typing || !Object.hasOwn(actions, e.key)) return;
    e.preventDefault();
    actions[e.key]();
  });
}
