// The only place where elements are made. Text gets in as text nodes and never as markup: everything shown was sent by a
// stranger. (The page's policy forbids innerHTML as well.)

const svgNamespace = 'http://www.w3.org/2000/svg';

// el makes an element: el('button', {class: 'quiet', onclick: f}, 'Copy'). A value of false, null or undefined leaves an
// attribute out, but for aria-…, where false is a word; functions become listeners.
export function el(name, props = {}, ...children) {
  return fill(document.createElement(name), props, children);
}

// svg is el for SVG.
export function svg(name, props = {}, ...children) {
  return fill(document.createElementNS(svgNamespace, name), props, children);
}

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || (value === false && !name.startsWith('aria-'))) continue;
    if (typeof value === 'function') node.addEventListener(name.replace(/^on/, ''), value);
    else if (name === 'value') node.value = value;
    else node.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value));
  }
  node.append(...children.flat(2).filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

// setText touches the document only where something changes: rows are patched many times a second.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function replace(node, ...children) {
  node.replaceChildren(...children.flat(2).filter((c) => c !== null && c !== undefined && c !== false));
}

// icon draws one of a few marks. Each state has a shape of its own, so that colour is never alone.
const marks = {
  ok: 'M3.5 8.5l3 3 6-7',
  bad: 'M4 4l8 8M12 4l-8 8',
  open: 'M8 3a5 5 0 1 1-.01 0',
  warn: 'M8 3v6M8 12v.6',
  none: 'M4 8h8',
  copy: 'M6 5.5h7v8H6zM3 10.5v-8h7',
  back: 'M10 3l-5 5 5 5',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
};

export function icon(mark) {
  return svg('svg', { class: `icon icon-${mark}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('path', { d: marks[mark] }));
}

// hidden is text for screen readers where a picture says it to the others.
export const hidden = (text) => el('span', { class: 'hidden' }, text);

// copyButton copies what text() gives and says so for a moment.
export function copyButton(label, text) {
  const word = el('span', {}, label);
  const button = el('button', {
    type: 'button', class: 'quiet copy',
    async onclick() {
      const done = await Promise.resolve(text()).then(copyText).catch(() => false);
      setText(word, done ? 'Copied' : 'Not copied');
      setTimeout(() => setText(word, label), 1500);
    },
  }, icon('copy'), word);
  return button;
}

// copyText uses the clipboard, which browsers give to pages on loopback and https only; elsewhere the old way still works.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el('textarea', { class: 'offscreen', value: text });
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

// save keeps content as a file. It is never opened: the browser is told that it is bytes and nothing else.
export function save(name, content) {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // long after the browser took it
}
