// Words and numbers for people. What strangers sent is made visible before it is shown: control characters, and those that
// reorder or hide text, stand as escapes.

import { el } from './dom.js';

// Controls (a line feed and a tab where they lay out text are let through by the caller), marks of direction, characters of no
// width, line and paragraph separators, variation selectors and tags, which can smuggle text, and halves of surrogates.
const unseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

function escape(c) {
  const n = c.codePointAt(0);
  // bytes.js lays bytes that are no UTF-8 there.
  if (n >= 0xdc80 && n <= 0xdcff) return `\\x${(n - 0xdc00).toString(16)}`;
  return n > 0xffff ? `\\u{${n.toString(16)}}` : `\\u${n.toString(16).padStart(4, '0')}`;
}

// visible is text in one line, safe to look at.
export function visible(text) {
  return String(text ?? '').replace(unseen, escape);
}

// short cuts in the middle, since ids differ at their ends.
export function short(text, limit = 80) {
  const shown = visible(text);
  if (shown.length <= limit) return shown;
  return `${shown.slice(0, Math.ceil(limit * 0.6))}…${shown.slice(-Math.floor(limit * 0.3))}`;
}

// maxMarks bounds the elements that a hostile text can make us create.
const maxMarks = 2000;

// lines shows text of several lines: escapes stand out, line feeds and tabs do their work.
export function lines(text) {
  const part = document.createDocumentFragment();
  let from = 0;
  let marks = 0;
  for (const m of text.matchAll(unseen)) {
    if (m[0] === '\n' || m[0] === '\t') continue;
    if (marks++ === maxMarks) break;
    part.append(text.slice(from, m.index), el('span', { class: 'esc' }, escape(m[0])));
    from = m.index + m[0].length;
  }
  const rest = text.slice(from);
  part.append(marks > maxMarks ? rest.replace(unseen, (c) => (c === '\n' || c === '\t' ? c : escape(c))) : rest);
  return part;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hour12: false });

// time is the time of day here, to the millisecond.
export function time(at) {
  const d = new Date(at);
  return Number.isNaN(d.getTime()) ? '' : clock.format(d);
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

// when is the time of day, with the day before it unless that is today.
export function when(at) {
  const d = new Date(at);
  return d.toDateString() === new Date().toDateString() || Number.isNaN(d.getTime()) ? time(at) : `${day.format(d)} ${time(at)}`;
}

const units = [[3600e9, 'h'], [60e9, 'm'], [1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

// duration has three figures: enough to compare, few enough to read.
export function duration(ns) {
  if (ns === null || ns === undefined) return '';
  if (ns === 0) return '0';
  const size = Math.abs(ns);
  const sign = ns < 0 ? '−' : '';
  if (size >= 60e9) {
    const [unit, name, small] = size >= 3600e9 ? [3600e9, 'h', 60e9] : [60e9, 'm', 1e9];
    const rest = Math.round((size % unit) / small);
    return `${sign}${Math.floor(size / unit)} ${name}${rest ? ` ${rest} ${name === 'h' ? 'm' : 's'}` : ''}`;
  }
  const [unit, name] = units.find(([u]) => size >= u) ?? units[5];
  const value = size / unit;
  return `${sign}${value >= 100 ? value.toFixed(0) : value.toPrecision(3).replace(/\.?0+$/, '')} ${name}`;
}

export function bytes(n) {
  if (n < 1024) return `${n} B`;
  if (n < 1 << 20) return `${(n / 1024).toFixed(1)} KiB`;
  return `${(n / (1 << 20)).toFixed(1)} MiB`;
}

export function count(n, one, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`;
}

// answer is what an attempt really got, in as few words as tell it apart.
export function answer(a) {
  if (!a.end) return a.open ? 'open' : 'unknown';
  const how = { complete: '', reset: 'reset', closed: 'closed', 'peer-gone': 'peer gone', shutdown: 'shut down' }[a.end] ?? a.end;
  if (a.status && how) return `${a.status}, ${how}`;
  return a.status ? String(a.status) : how || visible(a.fault) || a.end;
}

// mood is the state behind an attempt, which has a colour and a shape.
export function mood(a) {
  if (!a.end) return a.open ? 'open' : 'none';
  if (a.end === 'complete' && a.status >= 200 && a.status < 300) return 'ok';
  return 'bad';
}
