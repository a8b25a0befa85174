/** `usage`: the command was called wrongly, and nothing was tried. `failure`: it was tried. */
type Blame = 'usage' | 'failure';

/** Something could not be done, and the person at the terminal can do something about it. */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** What to do next: a sentence without a full stop, so that a command at its end can be copied. */
  readonly hint: string;
  readonly blame: Blame;

  constructor(
    message: string,
    options: { readonly hint: string; readonly blame?: Blame; readonly cause?: unknown },
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.hint = options.hint;
    this.blame = options.blame ?? 'failure';
  }
}
