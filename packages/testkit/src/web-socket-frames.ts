import type { ByteStream } from '@liqo/kube';

/** What a client says when it asks for a WebSocket on which one protocol is spoken. */
export function webSocketHeaders(protocol: string): Record<string, string> {
  return {
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol': protocol,
  };
}

/** A binary message of a client, which has to be masked; with zeros, it is as it was. */
export function clientMessage(payload: Uint8Array): Uint8Array {
  if (payload.length > 125) throw new Error('Cannot send more than 125 bytes in a short message');
  return Buffer.concat([Buffer.of(0x82, 0x80 + payload.length, 0, 0, 0, 0), payload]);
}

/** The binary messages of a server, in pieces as they come, until it says goodbye. */
export async function* serverMessages(stream: ByteStream): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const [kind = 0, short = 0] = rest;
      const start = short === 126 ? 4 : 2;
      const length = short === 126 && rest.length >= 4 ? rest.readUInt16BE(2) : short;
      if (rest.length < start + length || rest.length < start) break;
      if ((kind & 0x0f) === 8) return;
      yield rest.subarray(start, start + length);
      rest = rest.subarray(start + length);
    }
  }
}
