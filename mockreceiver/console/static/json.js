// JSON laid out by its tokens. Nothing is parsed into values: 1.10, 1e400 and 12345678901234567890 stay as they were sent, and
// so do keys that come twice.

const space = /[ \t\n\r]*/y;
const string = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const word = /true|false|null/y;

// maxIndent keeps a payload of a million brackets from being mostly spaces.
const maxIndent = 40;

// layOut returns {tokens: [{kind, text}]}, or {error, at} with the place of the first fault. kind is key, string, number,
// word, or mark for everything between them.
export function layOut(text) {
  const tokens = [];
  const open = []; // closing brackets that are owed
  let at = 0;
  let want = 'value';

  const take = (pattern) => {
    pattern.lastIndex = at;
    const m = pattern.exec(text);
    if (m) at += m[0].length;
    return m ? m[0] : null;
  };
  const fault = (what) => ({ error: `want ${what}`, at });
  const mark = (t) => tokens.push({ kind: 'mark', text: t });
  const newline = () => mark('\n' + '  '.repeat(Math.min(open.length, maxIndent)));
  const ended = () => {
    want = open.length ? 'next' : 'end';
  };
  const close = (c) => {
    if (open.at(-1) !== c) return false;
    at++;
    open.pop();
    const last = tokens.at(-1);
    if (last.text === '{' || last.text === '[') last.text += c;
    else {
      newline();
      mark(c);
    }
    ended();
    return true;
  };

  for (;;) {
    take(space);
    const c = text[at];
    if (want === 'end') return at === text.length ? { tokens } : fault('nothing more');
    if (want === 'next') {
      if (c === ',') {
        at++;
        mark(',');
        newline();
        want = open.at(-1) === '}' ? 'key' : 'value';
      } else if (!(c === '}' || c === ']') || !close(c)) return fault(`, or ${open.at(-1)}`);
      continue;
    }
    if (want === 'key' || want === 'first key') {
      if (want === 'first key' && c === '}') {
        close(c);
        continue;
      }
      if (want === 'first key') newline();
      const key = take(string);
      if (key === null) return fault('a key in double quotes');
      tokens.push({ kind: 'key', text: key });
      take(space);
      if (text[at] !== ':') return fault('a colon');
      at++;
      mark(': ');
      want = 'value';
      continue;
    }
    if (want === 'first value') {
      if (c === ']') {
        close(c);
        continue;
      }
      newline();
      want = 'value';
    }
    if (c === '{' || c === '[') {
      at++;
      mark(c);
      open.push(c === '{' ? '}' : ']');
      want = c === '{' ? 'first key' : 'first value';
      continue;
    }
    const kind = c === '"' ? 'string' : c === '-' || (c >= '0' && c <= '9') ? 'number' : 'word';
    const value = take({ string, number, word }[kind]);
    if (value === null) return fault('a value');
    tokens.push({ kind, text: value });
    ended();
  }
}
