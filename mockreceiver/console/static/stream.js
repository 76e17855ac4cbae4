// The live stream: server-sent events read with fetch, since EventSource cannot send a bearer token.

import { request } from './api.js';

const firstDelay = 500;
const maxDelay = 10_000;
// Heartbeats come more often than this; a connection that is silent for longer is dead without knowing it.
const silence = 45_000;

// Stream calls onState with live, reconnecting or stopped, onOpen after each connect and onEvent with each event's name and
// data. It goes on until stop.
export class Stream {
  #options;
  #abort = null;
  #last = '';
  #generation = 0;

  constructor(options) {
    this.#options = options;
  }

  start() {
    const generation = ++this.#generation;
    this.#run(generation);
  }

  stop() {
    this.#generation++;
    this.#abort?.abort();
    this.#options.onState('stopped');
  }

  async #run(generation) {
    let delay = firstDelay;
    const alive = () => generation === this.#generation;
    while (alive()) {
      this.#abort = new AbortController();
      let why = '';
      try {
        await this.#read(this.#abort, alive, () => {
          delay = firstDelay;
        });
      } catch (err) {
        if (err.status === 401 && alive()) {
          this.stop();
          return;
        }
        why = err.message;
      }
      if (!alive()) return;
      this.#options.onState('reconnecting', why);
      // Many pages that lost one receiver do not come back at one instant.
      await new Promise((done) => setTimeout(done, delay * (0.75 + Math.random() / 2)));
      delay = Math.min(delay * 2, maxDelay);
    }
  }

  async #read(abort, alive, connected) {
    const headers = { Accept: 'text/event-stream' };
    if (this.#last) headers['Last-Event-ID'] = this.#last;
    let dog = setTimeout(() => abort.abort(), silence);
    try {
      const response = await request('GET', '/v1/stream', { headers, signal: abort.signal });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      if (!alive()) return;
      connected();
      this.#options.onState('live');
      this.#options.onOpen();
      const parser = new Parser((event) => {
        if (event.id !== undefined) this.#last = event.id;
        if (alive() && event.data) this.#options.onEvent(event.name, JSON.parse(event.data));
      });
      for (;;) {
        const { value, done } = await reader.read();
        if (done || !alive()) return;
        clearTimeout(dog);
        dog = setTimeout(() => abort.abort(), silence);
        parser.push(value);
      }
    } finally {
      clearTimeout(dog);
      abort.abort();
    }
  }
}

// Parser reads the text/event-stream format (WHATWG HTML, 9.2.6).
export class Parser {
  #rest = '';
  #event = { name: '', data: [], id: undefined };
  #emit;

  constructor(emit) {
    this.#emit = emit;
  }

  push(chunk) {
    const parts = (this.#rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.#rest = parts.pop();
    for (const line of parts) this.#line(line);
  }

  #line(line) {
    if (line === '') {
      const { name, data, id } = this.#event;
      this.#event = { name: '', data: [], id: undefined };
      if (data.length || id !== undefined) this.#emit({ name: name || 'message', data: data.join('\n'), id });
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment, such as a heartbeat
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#event.name = value;
    else if (field === 'data') this.#event.data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#event.id = value;
  }
}
