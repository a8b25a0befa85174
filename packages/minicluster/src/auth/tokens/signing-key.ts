import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';

/** The two outer readings of a token: what its header says, and what was signed. */
interface ReadToken {
  readonly header: { readonly alg?: unknown; readonly kid?: unknown };
  readonly signed: string;
  readonly signature: Buffer;
}

/** Makes and checks JSON Web Tokens with one elliptic curve key (ES256). */
export class SigningKey {
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #keyId: string;
  readonly #header: string;

  /** A new key. */
  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    const encoded = publicKey.export({ type: 'spki', format: 'der' });
    this.#keyId = createHash('sha256').update(encoded).digest('base64url');
    this.#header = encodeJson({ alg: 'ES256', kid: this.#keyId });
  }

  sign(claims: object): string {
    const signed = `${this.#header}.${encodeJson(claims)}`;
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${signed}.${signBytes('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  /** What is wrong with the signature of a token, in the server's words; undefined when it is one of this key's. */
  faultOf(token: string): string | undefined {
    const { header, signed, signature } = readToken(token);
    if (header.kid !== undefined && header.kid !== this.#keyId) {
      return 'invalid signature, no keys found';
    }
    const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const isOurs =
      header.alg === 'ES256' && verifyBytes('sha256', Buffer.from(signed), key, signature);
    return isOurs ? undefined : 'go-jose/go-jose: error in cryptographic primitive';
  }
}

/** The claims of a token as they stand there, unverified; undefined for what is no token at all. */
export function peekClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  return decodeJson(parts[1] ?? '');
}

function readToken(token: string): ReadToken {
  const [header = '', claims = '', signature = ''] = token.split('.');
  return {
    header: decodeJson(header) ?? {},
    signed: `${header}.${claims}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decodeJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Somebody else's kind of token.
    return undefined;
  }
}
