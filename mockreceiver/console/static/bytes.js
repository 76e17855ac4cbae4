// Bytes as they came: from base64, as text that hides no byte, and as hex.

export function fromBase64(text) {
  const raw = atob(text ?? '');
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

// text decodes UTF-8. A byte that is none becomes half a surrogate, U+DC00 plus the byte, which format.js shows as \xNN; the
// decoder of the browser would make one replacement character of all of them.
export function text(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeWithHoles(bytes);
  }
}

function decodeWithHoles(bytes) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const out = [];
  for (let i = 0; i < bytes.length;) {
    const n = length(bytes[i]);
    let piece = null;
    if (n > 0) {
      try {
        piece = decoder.decode(bytes.subarray(i, i + n));
      } catch {
        piece = null;
      }
    }
    if (piece === null) out.push(String.fromCharCode(0xdc00 + bytes[i++]));
    else {
      out.push(piece);
      i += n;
    }
  }
  return out.join('');
}

// length is how many bytes a first byte announces, 0 if it cannot be one.
function length(first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

// hex shows bytes with their offsets and what is printable of them.
export function hex(bytes, perRow) {
  const rows = [];
  for (let at = 0; at < bytes.length; at += perRow) {
    const row = bytes.subarray(at, at + perRow);
    const cells = Array.from(row, (b) => b.toString(16).padStart(2, '0'));
    while (cells.length < perRow) cells.push('  ');
    const half = perRow / 2;
    const seen = Array.from(row, (b) => (b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : '·')).join('');
    rows.push(`${at.toString(16).padStart(6, '0')}  ${cells.slice(0, half).join(' ')}  ${cells.slice(half).join(' ')}  ${seen}`);
  }
  return rows.join('\n');
}
