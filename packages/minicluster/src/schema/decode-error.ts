/** A value that is not of the type of its field. The message is the server's own. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
