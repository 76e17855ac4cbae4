(() => {
  const out = [];
  const say = (what) => { if (out.length < 12) out.push(what) };
  const name = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + (e.getAttribute('class') ? '.' + e.getAttribute('class').replaceAll(' ', '.') : '');

  // Everything is looked at opened: what is closed has to be readable too.
  const closed = [...document.querySelectorAll('details:not([open])')];
  closed.forEach((d) => d.open = true);

  if (!document.documentElement.lang) say('no language');
  if (!document.title.trim()) say('no title');
  for (const [css, n] of [['main', 1], ['h1', 1], ['header', 1], ['footer', 1]]) {
    const got = document.querySelectorAll(css).length;
    if (got !== n) say(`${got} of ${css}, want ${n}`);
  }
  document.querySelectorAll('nav').forEach((e) => { if (!e.getAttribute('aria-label')) say('a nav without a name') });
  let level = 0;
  document.querySelectorAll('h1,h2,h3,h4,h5,h6').forEach((h) => {
    const n = Number(h.tagName[1]);
    if (n > level + 1) say(`heading "${h.textContent}" of level ${n} follows level ${level}`);
    if (!h.textContent.trim()) say('an empty heading');
    level = n;
  });

  document.querySelectorAll('svg').forEach((s) => {
    if (s.closest('[aria-hidden=true]') || s.parentElement.closest('svg')) return;
    const by = s.getAttribute('aria-labelledby');
    const label = s.getAttribute('aria-label') || (by && document.getElementById(by)?.textContent);
    if (s.getAttribute('role') !== 'img' || !label) say(`a drawing without a name: ${name(s)}`);
  });
  document.querySelectorAll('table').forEach((t) => {
    t.querySelectorAll('th').forEach((h) => {
      if (!h.getAttribute('scope')) say(`a header cell without a scope in ${name(t)}`);
      if (!h.textContent.trim()) say(`an empty header cell in ${name(t)}`);
    });
  });
  const ids = new Set();
  document.querySelectorAll('[id]').forEach((e) => { if (ids.has(e.id)) say(`id ${e.id} twice`); ids.add(e.id) });
  document.querySelectorAll('a,summary').forEach((e) => {
    if (!e.textContent.trim()) say(`${name(e)} has no text`);
    const href = e.getAttribute('href');
    if (href && href.startsWith('#') && !ids.has(decodeURIComponent(href.slice(1)))) say(`${href} leads nowhere`);
  });
  document.querySelectorAll('pre').forEach((e) => {
    if (e.tabIndex < 0 || !e.getAttribute('aria-label')) say(`${name(e)} scrolls, but has no name or cannot be focused`);
  });
  document.querySelectorAll('[tabindex]').forEach((e) => { if (e.tabIndex > 0) say(`${name(e)} changes the order of focus`) });

  // Contrast, as WCAG 2 reckons it: 4.5, and 3 for large text.
  const parse = (c) => {
    let m = c.match(/^rgba?\(([\d.]+),? ([\d.]+),? ([\d.]+)(?:(?:,| \/) ([\d.]+))?\)$/);
    if (m) return [m[1] / 255, m[2] / 255, m[3] / 255, m[4] === undefined ? 1 : Number(m[4])];
    m = c.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.]+))?\)$/);
    if (m) return [Number(m[1]), Number(m[2]), Number(m[3]), m[4] === undefined ? 1 : Number(m[4])];
    return null;
  };
  const light = (c) => {
    const [r, g, b] = c.map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => {
    for (let p = e; p; p = p.parentElement) {
      const c = parse(getComputedStyle(p).backgroundColor);
      if (c && c[3] === 1) return c;
    }
    return [1, 1, 1, 1];
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || e.closest('title,style,.sr,.skip') || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const inSVG = e.namespaceURI.endsWith('svg');
    const kind = name(e) + style.color + style.fill + style.fontSize;
    if (seen.has(kind)) continue;
    seen.add(kind);
    const fore = parse(inSVG ? style.fill : style.color), back = behind(e);
    if (!fore) { say(`${name(e)}: the colour ${inSVG ? style.fill : style.color} cannot be read`); continue }
    const [a, b] = [light(fore), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
    if (ratio < (large ? 3 : 4.5)) say(`"${n.data.trim().slice(0, 30)}" in ${name(e)} has a contrast of ${ratio.toFixed(2)}`);
  }

  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), over = [];
    for (let n = texts.nextNode(); n; n = texts.nextNode()) {
      const r = document.createRange();
      r.selectNodeContents(n);
      if (r.getBoundingClientRect().right > innerWidth) over.push(`"${n.data.trim().slice(0, 20)}" in ${name(n.parentElement)}`);
    }
    const worst = [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth).map(name);
    say(`${wide} px wider than the window, by ${worst[0]} … ${worst.at(-1)} and ${over.slice(0, 3)}`);
  }
  closed.forEach((d) => d.open = false);
  return out;
})()
