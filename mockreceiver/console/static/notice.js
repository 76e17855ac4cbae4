// Short words at the foot of the page, and the one place where what went wrong on the way is told.

const shownFor = 4000; // ms; a sentence is read in less

let timer = 0;

export function notice(text) {
  const node = document.getElementById('toast');
  clearTimeout(timer);
  node.textContent = text;
  node.hidden = false;
  timer = setTimeout(() => { node.hidden = true; }, shownFor);
}

// watch waits for a promise that nobody else waits for. A missing token has its own form, and what was given up is no failure.
export async function watch(promise) {
  try {
    await promise;
  } catch (err) {
    if (err.status !== 401 && err.name !== 'AbortError') notice(err.message);
  }
}
