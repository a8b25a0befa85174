import { Placeholder } from './placeholder.ts';

type Words = Readonly<Record<string, string>>;

/** A map with keys of its own, and those of a value that is not known yet. */
export class ExtendedMap {
  readonly own: Words;
  readonly extra: Placeholder;

  constructor(own: Words, extra: Placeholder) {
    this.own = own;
    this.extra = extra;
  }
}

/** Labels, annotations or the like with those of a value; where both have a key, the first map counts. */
export function withExtra(own: Words, extra: Words): Record<string, string> {
  const [first, second]: readonly unknown[] = [own, extra];
  if (first instanceof ExtendedMap) throw new Error('Cannot extend a map twice');
  if (!(second instanceof Placeholder)) return { ...extra, ...own };
  // Like a Placeholder, the result behaves like what it stands for, as far as manifests may use that.
  if (!(first instanceof Placeholder)) return new ExtendedMap(own, second) as never;
  const expression = `(merge (deepCopy ${first.expression}) ${second.expression})`;
  return new Placeholder(expression, 'object') as never;
}
