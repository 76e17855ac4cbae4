// The attempts of one event on a line. Gaps of a retry schedule differ by a factor of a thousand, so each has a scale of its own:
// a longer gap is wider, by its logarithm, and within it everything is to scale. Where a contract gives a window for the next
// attempt, it is the band that the attempt should stand in.

import { el, svg } from './dom.js';
import * as format from './format.js';

const height = 92;
const axis = 44; // where the line runs
const edge = 34; // room for the labels of the first and the last
const narrow = 64; // the narrowest gap, so that its label has room
const wider = 26; // more for each factor of ten above 100 ms
const mostStretch = 4; // two attempts need not span a wide screen

// maxDrawn bounds the drawing; an event beyond it is drawn with its last attempts.
const maxDrawn = 60;

// timeline draws attempts in a box of some width; where there is room, gaps take more of it.
export function timeline(attempts, room, onChoose) {
  const shown = attempts.slice(-maxDrawn);
  const least = shown.slice(1).reduce((sum, a, i) => sum + widthOf(a, shown[i]), 0);
  const stretch = least > 0 ? Math.min(Math.max((room - 2 * edge - 2) / least, 1), mostStretch) : 1;
  const lines = svg('g');
  const nodes = svg('g');
  let x = edge;
  shown.forEach((a, i) => {
    if (i > 0) x = drawGap(lines, x, shown[i - 1], a, stretch);
    nodes.append(node(a, x, onChoose));
  });
  const picture = svg('svg', { class: 'timeline-svg', width: x + edge, height, viewBox: `0 0 ${x + edge} ${height}`, role: 'img', 'aria-label': words(shown) }, lines, nodes);
  return el('div', { class: 'timeline', tabindex: '0', role: 'group', 'aria-label': 'Timeline of attempts' }, picture);
}

const longestOf = (a, before) => Math.max(gapOf(a, before), a.window?.max_ns ?? 0, 1);

const widthOf = (a, before) => narrow + wider * Math.max(0, Math.log10(longestOf(a, before) / 1e8));

function drawGap(drawing, from, before, a, stretch) {
  const gap = gapOf(a, before);
  const window = a.window;
  const scale = (widthOf(a, before) * stretch) / longestOf(a, before);
  const to = from + gap * scale;
  if (window) {
    const low = from + window.min_ns * scale;
    const high = Math.max(from + window.max_ns * scale, low + 3);
    drawing.append(svg('rect', { class: 'window', x: low, y: axis - 12, width: high - low, height: 24, rx: 2 }));
  }
  const end = Math.max(to, from + 22); // two at the same instant are still two
  const mood = window ? (window.ok ? 'ok' : 'bad') : 'none';
  drawing.append(
    svg('line', { class: 'axis', x1: from, y1: axis, x2: end, y2: axis }),
    svg('text', { class: `gap is-${mood}`, x: (from + end) / 2, y: axis - 18, 'text-anchor': 'middle' }, format.duration(gap)));
  return end;
}

// gapOf is the receiver's measure of a gap, from the end of the attempt before; until it is known, that of the two starts.
export const gapOf = (a, before) => a.gap_ns ?? Math.max(0, (new Date(a.at) - new Date(before.at)) * 1e6);

function node(a, x, onChoose) {
  const mood = format.mood(a);
  const mark = { ok: svg('circle', { r: 6 }), bad: svg('path', { d: 'M0-7L7 0L0 7L-7 0Z' }), open: svg('circle', { r: 5.5, class: 'hollow' }), none: svg('path', { d: 'M-6 0H6' }) }[mood];
  return svg('g', { class: `node is-${mood}`, 'data-seq': a.seq, transform: `translate(${x} ${axis})`, onclick: () => onChoose(a.seq) },
    svg('title', {}, `attempt ${a.attempt}, ${format.answer(a)}`),
    svg('rect', { class: 'reach', x: -20, y: -14, width: 40, height: 58 }),
    mark,
    svg('text', { class: 'answer-label', y: 24, 'text-anchor': 'middle' }, a.status ? String(a.status) : format.answer(a)),
    svg('text', { class: 'number-label', y: 39, 'text-anchor': 'middle' }, a.attempt ? `#${a.attempt}` : 'copy'));
}

// words says the picture.
function words(attempts) {
  return attempts.map((a, i) => {
    const gap = i > 0 && a.gap_ns !== undefined && a.gap_ns !== null ? `after ${format.duration(a.gap_ns)}` : '';
    const window = a.window ? (a.window.ok ? ', within its window' : ', outside its window') : '';
    return `attempt ${a.attempt} ${gap}${window}: ${format.answer(a)}`;
  }).join('; ');
}

export function choose(node, seq) {
  for (const n of node.querySelectorAll('.node')) n.classList.toggle('chosen', Number(n.dataset.seq) === seq);
}
