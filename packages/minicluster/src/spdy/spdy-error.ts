/** The peer does not speak SPDY/3.1 as it should: the connection cannot go on. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';

  constructor(fact: string, options?: ErrorOptions) {
    super(`Cannot read SPDY: ${fact}`, options);
  }
}
