/** The JSON of objects at rest, made once for however many watch them: they never change. */
export class ObjectTexts {
  readonly #texts = new WeakMap<object, string>();

  of(object: object): string {
    const known = this.#texts.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(object);
    this.#texts.set(object, text);
    return text;
  }
}
