import { decodeProtobuf } from '../protobuf/decode-protobuf.ts';
import { WireError } from '../protobuf/wire-reader.ts';
import type { IncomingRequest } from './api-server.ts';
import { badRequest } from './refusal.ts';

/** The text of a request, and its headers, which say what the text is. */
export interface Content {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const protobuf = 'application/vnd.kubernetes.protobuf';

/** What a request brings. Protobuf is turned into the JSON it stands for, so that nobody after this need know of it. */
export function readContent({ body, headers = {} }: IncomingRequest): Content {
  const isProtobuf = headers['content-type']?.split(';', 1)[0] === protobuf;
  if (!isProtobuf || !(body instanceof Uint8Array) || body.length === 0) {
    return { body: textOf(body), headers };
  }
  return {
    body: JSON.stringify(decodeOrRefuse(body)),
    headers: { ...headers, 'content-type': 'application/json' },
  };
}

function decodeOrRefuse(bytes: Uint8Array): unknown {
  try {
    return decodeProtobuf(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw badRequest(`the object provided is unrecognized: ${error.message}`);
  }
}

function textOf(body: string | Uint8Array | undefined): string {
  return typeof body === 'string' ? body : body ? new TextDecoder().decode(body) : '';
}
