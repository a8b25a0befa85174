/** Under which symbol an object keeps what it is compared by: not a field that a rule could name. */
const canonical: unique symbol = Symbol('canonical');

/** An object in a rule, with its fields under the names that expressions know them by. */
export class CelObject {
  readonly [canonical]: string;

  /** Objects with the same `canonicalText` are equal. */
  constructor(fields: Readonly<Record<string, unknown>>, canonicalText: string) {
    Object.assign(this, fields);
    this[canonical] = canonicalText;
  }
}

export function isSameObject(a: CelObject, b: CelObject): boolean {
  return a[canonical] === b[canonical];
}
