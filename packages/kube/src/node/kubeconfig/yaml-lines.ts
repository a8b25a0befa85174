import { EVENT_ID, type Event, getScalarValue } from 'js-yaml';

/**
 * The line, counted from 1, of every key and list item of a YAML document by its path (`clusters[1].cluster.server`).
 * What is reached through an alias or a merge key has no line of its own.
 */
export function yamlLines(text: string, events: readonly Event[]): ReadonlyMap<string, number> {
  const walk = new LineWalk(text, events);
  walk.firstDocument();
  return walk.lines;
}

class LineWalk {
  readonly lines = new Map<string, number>();
  readonly #text: string;
  readonly #events: readonly Event[];
  #next = 0;
  #offset = 0;
  #line = 1;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  firstDocument(): void {
    this.#take();
    this.#node('');
  }

  #node(path: string): void {
    const event = this.#take();
    if (event?.type === EVENT_ID.MAPPING) this.#mapping(path);
    if (event?.type === EVENT_ID.SEQUENCE) this.#sequence(path);
  }

  #mapping(path: string): void {
    while (!this.#ended()) {
      const key = this.#take();
      if (key?.type !== EVENT_ID.SCALAR) return;
      const name = getScalarValue(this.#text, key);
      const child = path ? `${path}.${name}` : name;
      this.lines.set(child, this.#lineAt(key.valueStart));
      this.#node(child);
    }
  }

  #sequence(path: string): void {
    for (let index = 0; !this.#ended(); index += 1) {
      const child = `${path}[${index}]`;
      this.lines.set(child, this.#lineAt(startOf(this.#events[this.#next])));
      this.#node(child);
    }
  }

  /** Steps over the end of the collection if that is what comes next. */
  #ended(): boolean {
    const event = this.#events[this.#next];
    if (event && event.type !== EVENT_ID.POP) return false;
    this.#next += 1;
    return true;
  }

  #take(): Event | undefined {
    const event = this.#events[this.#next];
    this.#next += 1;
    return event;
  }

  /** Events come in the order of the text, so every line break is counted once. */
  #lineAt(offset: number): number {
    for (; this.#offset < offset; this.#offset += 1) {
      if (this.#text[this.#offset] === '\n') this.#line += 1;
    }
    return this.#line;
  }
}

function startOf(event: Event | undefined): number {
  if (!event) return -1;
  if ('valueStart' in event) return event.valueStart;
  if ('start' in event) return event.start;
  return 'anchorStart' in event ? event.anchorStart : -1;
}
