/** Something could not be done, and the person at the terminal can do something about it. */
export class PlaygroundError extends Error {
  override readonly name = 'PlaygroundError';
  /** What to do next: a sentence without a full stop, so that a command at its end can be copied. */
  readonly hint: string;
  /** 2 if it was called wrongly and nothing was tried, otherwise 1. */
  readonly exitCode: number;

  constructor(
    message: string,
    options: { readonly hint: string; readonly exitCode?: number; readonly cause?: unknown },
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}
