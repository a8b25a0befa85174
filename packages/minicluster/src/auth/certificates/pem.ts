interface PemBlock {
  readonly type: string;
  readonly bytes: Buffer;
}

const pattern = /-----BEGIN ([^\n-]+)-----\r?\n([\s\S]*?)-----END \1-----/g;

export function printPem(type: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`;
}

/** All blocks of a text; what is around them does not matter. */
export function readPem(text: string): PemBlock[] {
  return [...text.matchAll(pattern)].map(([, type = '', body = '']) => ({
    type,
    bytes: Buffer.from(body, 'base64'),
  }));
}
