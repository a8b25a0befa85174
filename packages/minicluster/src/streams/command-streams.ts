/** Which streams a command has. */
export interface StreamWishes {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The streams of one command in a container, whatever carries them, seen from the side of the command. */
export interface CommandStreams {
  /** Ends at once when there is no standard input. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Sizes of the terminal, as JSON. */
  readonly resizes: AsyncIterable<Uint8Array>;
  /** Resolves when there is room for more; goes nowhere when nobody wants it. */
  stdout(chunk: Uint8Array | string): Promise<void>;
  stderr(chunk: Uint8Array | string): Promise<void>;
  /** Ends everything with a `Status` that says how the command ended. */
  finish(status: object): Promise<void>;
  /** Aborts when the client has gone. */
  readonly closed: AbortSignal;
}
