const pemLineLength = 64;

/** One block as Go writes it: lines of 64 characters, one newline at the end. */
export function printPem(type: string, der: ArrayBuffer | Uint8Array): string {
  const base64 = Buffer.from(der as Uint8Array).toString('base64');
  const lines = base64.match(new RegExp(`.{1,${pemLineLength}}`, 'g')) ?? [];
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n');
}

/**
 * The bytes of the only block of a text. Undefined when there is more than one block, another type, or anything but
 * white space around it: a signer reads the first block, which must be the one that was judged.
 */
export function readOnlyBlock(type: string, text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  const begin = `-----BEGIN ${type}-----`;
  const end = `-----END ${type}-----`;
  if (!trimmed.startsWith(begin) || !trimmed.endsWith(end)) return undefined;
  const body = trimmed.slice(begin.length, -end.length);
  if (!/^\r?\n[A-Za-z0-9+/=\s]+\n$/.test(body)) return undefined;
  const base64 = body.replaceAll(/\s/g, '');
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : undefined;
}
