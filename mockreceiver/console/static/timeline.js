// The attempts of one event on a line, as wide as its card. Gaps of a retry schedule differ by a factor of a thousand, so each has
// a scale of its own: a longer gap is wider, by its logarithm. Every label has its room first, and what is left of the card is
// shared out. Where a contract gives a window for the next attempt, it is the band that the attempt should stand in.

import { el, svg } from './dom.js';
import * as format from './format.js';

const height = 98;
const axis = 46; // where the line runs
const clear = 14; // between two labels side by side
const margin = 12; // between the outermost label and the card
const mark = 11; // the reach of an attempt's mark, its ring included
const overhang = 44; // of a window behind the last attempt

// maxDrawn bounds the drawing; an event beyond it is drawn with its last attempts.
const maxDrawn = 60;
const longestLabel = 18; // characters

// timeline draws attempts in a box of some width. It is wider than that only where its labels are.
export function timeline(attempts, room, onChoose) {
  const shown = attempts.slice(-maxDrawn);
  const { points, width } = layOut(shown, room);
  const bands = svg('g');
  const lines = svg('g');
  const nodes = svg('g');
  points.forEach((p, i) => {
    if (i > 0) drawGap(bands, lines, points[i - 1], p);
    nodes.append(node(p, onChoose));
  });
  const picture = svg('svg', { class: 'timeline-svg', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words(shown) }, bands, lines, nodes);
  return el('div', { class: 'timeline', tabindex: '0', role: 'group', 'aria-label': 'Timeline of attempts' }, picture);
}

// layOut finds where each attempt stands.
function layOut(shown, room) {
  const wide = measure();
  const points = shown.map((a, i) => {
    const p = { a, answer: format.short(format.answer(a), longestLabel), number: numberOf(a), gap: i > 0 ? gapOf(a, shown[i - 1]) : 0 };
    p.half = Math.max(wide(p.answer), wide(p.number)) / 2;
    p.longest = Math.max(p.gap, a.window?.max_ns ?? 0, 1);
    return p;
  });
  const rest = points.slice(1);
  rest.forEach((p, i) => {
    p.least = Math.max(points[i].half + p.half + clear, wide(format.duration(p.gap)) + clear, 2 * mark + clear);
    p.weight = Math.log10(p.longest / 1e6 + 10); // 1 for nothing, 3 for a second, 5.5 for five minutes
  });
  const last = points.at(-1);
  const left = points[0].half + margin;
  const right = Math.max(last.half + margin, last.longest > last.gap && rest.length ? overhang + margin : 0);
  const least = rest.reduce((sum, p) => sum + p.least, left + right);
  const weights = rest.reduce((sum, p) => sum + p.weight, 0);
  const spare = Math.max(0, room - least);
  points[0].x = left;
  rest.forEach((p, i) => {
    p.x = points[i].x + p.least + (spare * p.weight) / weights;
  });
  // How far a window may reach behind its attempt: not to the next one's window, most of the time.
  rest.forEach((p, i) => {
    const next = rest[i + 1];
    p.behind = next ? Math.max(0.4 * (next.x - p.x), p.gap < (p.a.window?.min_ns ?? 0) ? 3 * mark : 0) : overhang;
  });
  return { points, width: Math.max(Math.ceil(least), Math.floor(rest.length ? room : least)) };
}

// measure returns a function that tells how wide a label is.
function measure() {
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = `700 11px ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`; // as in the style sheet, at its boldest
  return (text) => pen.measureText(text).width;
}

function drawGap(bands, lines, before, p) {
  const window = p.a.window;
  const wide = p.x - before.x;
  if (window) {
    // What lies behind the attempt keeps the scale as far as there is room for it.
    const behind = Math.min((wide * (p.longest - p.gap)) / Math.max(p.gap, 1), p.behind);
    const at = (t) => (t <= p.gap ? before.x + (wide * t) / Math.max(p.gap, 1) : p.x + (behind * (t - p.gap)) / (p.longest - p.gap));
    const low = at(window.min_ns);
    bands.append(svg('rect', { class: 'window', x: low, y: axis - 12, width: Math.max(at(window.max_ns) - low, 3), height: 24, rx: 3 }));
  }
  const mood = window ? (window.ok ? 'ok' : 'bad') : 'none';
  lines.append(
    svg('line', { class: 'axis', x1: before.x, y1: axis, x2: p.x, y2: axis }),
    svg('text', { class: `gap is-${mood}`, x: (before.x + p.x) / 2, y: axis - 20, 'text-anchor': 'middle' }, format.duration(p.gap)));
}

// gapOf is the receiver's measure of a gap, from the end of the attempt before; until it is known, that of the two starts.
export const gapOf = (a, before) => Math.max(0, a.gap_ns ?? (new Date(a.at) - new Date(before.at)) * 1e6);

const numberOf = (a) => (a.attempt > 0 ? `#${a.attempt}` : a.origin === 'harness' ? 'copy' : '–');

const shapes = {
  ok: () => svg('circle', { r: 6 }), bad: () => svg('path', { d: 'M0-7L7 0L0 7L-7 0Z' }),
  open: () => svg('circle', { r: 5.5, class: 'hollow' }), none: () => svg('path', { d: 'M-6 0H6' }),
};

function node(p, onChoose) {
  const mood = format.mood(p.a);
  const wide = 2 * p.half + 8;
  return svg('g', { class: `node is-${mood}`, 'data-seq': p.a.seq, transform: `translate(${p.x} ${axis})`, onclick: () => onChoose(p.a.seq) },
    svg('title', {}, `${p.number}: ${p.answer}, ${format.time(p.a.at)}`),
    svg('rect', { class: 'hit', x: -wide / 2, y: -mark, width: wide, height: mark + 47 }),
    svg('rect', { class: 'chosen-label', x: -wide / 2, y: mark + 3, width: wide, height: 33, rx: 3 }),
    svg('circle', { class: 'ring', r: mark - 1 }),
    shapes[mood](),
    svg('text', { class: 'answer-label', y: 27, 'text-anchor': 'middle' }, p.answer),
    svg('text', { class: 'number-label', y: 42, 'text-anchor': 'middle' }, p.number));
}

// words says the picture.
function words(attempts) {
  return attempts.map((a, i) => {
    const gap = i > 0 && a.gap_ns !== undefined && a.gap_ns !== null ? ` after ${format.duration(a.gap_ns)}` : '';
    const window = a.window ? (a.window.ok ? ', within its window' : ', outside its window') : '';
    return `${a.attempt > 0 ? `attempt ${a.attempt}` : 'request'}${gap}${window}: ${format.answer(a)}`;
  }).join('; ');
}

export function choose(node, seq) {
  for (const n of node.querySelectorAll('.node')) n.classList.toggle('chosen', Number(n.dataset.seq) === seq);
}
