/** The base64 of 64 bytes has 88 characters; the last one before the padding carries two bits. */
const nonce = /^[A-Za-z0-9+/]{85}[AQgw]==$/;

/**
 * Whether a text is a nonce as Liqo makes them: the standard base64 of 64 bytes. Nothing else is signed: the cluster key also
 * signs certificate requests and TLS handshakes, and no part of those consists of such characters alone.
 */
export function isNonce(text: string): boolean {
  return nonce.test(text);
}
