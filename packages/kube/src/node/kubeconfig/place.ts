import { KubeconfigError } from './kubeconfig-error.ts';

/** The document that places belong to. */
export interface PlacedDocument {
  readonly source?: string | undefined;
  /** Lines, counted from 1, by the path of a key or list item. */
  readonly lines: ReadonlyMap<string, number>;
}

/** A spot in a kubeconfig: every complaint about the document is made through one of these. */
export class Place {
  readonly path: string;
  readonly #document: PlacedDocument;
  readonly #parent: Place | undefined;

  constructor(document: PlacedDocument, path = '', parent?: Place) {
    this.#document = document;
    this.path = path;
    this.#parent = parent;
  }

  get source(): string | undefined {
    return this.#document.source;
  }

  /** The line of this key or, when the key is not there, of the nearest thing around it that is. */
  get line(): number | undefined {
    return this.#document.lines.get(this.path) ?? this.#parent?.line;
  }

  key(name: string): Place {
    return new Place(this.#document, this.path ? `${this.path}.${name}` : name, this);
  }

  item(index: number): Place {
    return new Place(this.#document, `${this.path}[${index}]`, this);
  }

  problem(reason: string, cause?: unknown): KubeconfigError {
    const { source, path: key, line } = this;
    return new KubeconfigError({ source, key, line, reason, cause });
  }
}
