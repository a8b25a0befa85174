import type { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { eventually, rejection } from '@liqo/testkit';
import { describe, expect, test } from 'vitest';
import { duplexPair } from '../streams/duplex-pair.ts';
import { FrameEncoder } from './frame-encoder.ts';
import { SpdySession } from './spdy-session.ts';
import type { SpdyStream } from './spdy-stream.ts';

const named = (name: string) => new Map([['streamtype', name]]);

function connected(onStream: (stream: SpdyStream) => void = () => undefined) {
  const [near, far] = duplexPair();
  const client = new SpdySession(near, { role: 'client' });
  const server = new SpdySession(far, { role: 'server', onStream });
  return { client, server, near, far };
}

/** Sends back everything, and says so when the other side has ended. */
function echo({ bytes }: SpdyStream): void {
  bytes.pipe(bytes);
}

describe('SpdySession', () => {
  test('opens streams with their headers, and carries bytes both ways', async () => {
    const opened: string[] = [];
    const { client } = connected((stream) => {
      opened.push(`${stream.id} ${stream.headers.get('streamtype')}`);
      echo(stream);
    });
    const [first, second] = await Promise.all([client.open(named('a')), client.open(named('b'))]);
    first.bytes.end('one');
    second.bytes.end('two');
    expect(await text(first.bytes)).toBe('one');
    expect(await text(second.bytes)).toBe('two');
    expect(opened).toEqual(['1 a', '3 b']);
  });

  test('ends one direction and leaves the other open', async () => {
    const { client } = connected(({ bytes }) => {
      bytes.once('data', (all) => bytes.once('end', () => bytes.end(`got ${all}`)));
    });
    const { bytes } = await client.open(named('data'));
    bytes.end('everything');
    expect(await text(bytes)).toBe('got everything');
  });

  test('carries more than fits into one frame', async () => {
    const { client } = connected(echo);
    const { bytes } = await client.open(named('data'));
    const sent = Buffer.alloc(1_000_000, 'abcdefg');
    bytes.end(sent);
    expect((await buffer(bytes)).equals(sent)).toBe(true);
  });

  test('holds a sender back whom nobody reads, and lets it go on when somebody does', async () => {
    const received: Duplex[] = [];
    const { client } = connected(({ bytes }) => received.push(bytes));
    const { bytes } = await client.open(named('data'));
    const size = 10_000_000;
    bytes.end(Buffer.alloc(size));
    for (let i = 0; i < 1000; i++) await new Promise(setImmediate);
    expect(received[0]?.readableLength).toBeLessThan(300_000);
    expect(bytes.writableFinished).toBe(false);
    const all = received[0] && (await buffer(received[0]));
    expect(all).toHaveLength(size);
  });

  test('refuses a stream that nobody wants', async () => {
    const { client } = connected(() => {
      throw new Error('no');
    });
    expect(await rejection(client.open(named('data')))).toMatchObject({
      message: 'Cannot open the stream: the other side refused it',
    });
  });

  test('tells of a reset, after what had been sent before it', async () => {
    const { client } = connected(({ bytes }) => {
      bytes.write('last words', () => bytes.destroy());
    });
    const { bytes } = await client.open(named('data'));
    expect(await text(bytes)).toBe('last words');
    await eventually(() => expect(bytes.destroyed).toBe(true));
  });

  test('closes with all that was written, and drops what comes after', async () => {
    const streams: SpdyStream[] = [];
    const { client, server } = connected((stream) => streams.push(stream));
    const { bytes } = await client.open(named('data'));
    streams[0]?.bytes.end('goodbye', () => server.close());
    expect(await text(bytes)).toBe('goodbye');
    bytes.write('too late');
    client.close();
    await Promise.all([client.closed, server.closed]);
    expect(await rejection(client.open(named('more')))).toMatchObject({
      message: 'Cannot write to the connection: it is closed',
    });
  });

  test('ends every stream when the connection breaks', async () => {
    const { client, far } = connected();
    const { bytes } = await client.open(named('data'));
    far.destroy();
    expect(await text(bytes)).toBe('');
    await client.closed;
  });

  test('answers the pings of the peer and not its own', async () => {
    const [near, far] = duplexPair();
    const server = new SpdySession(far, { role: 'server' });
    const encoder = new FrameEncoder();
    const ping = encoder.encode({ type: 'ping', id: 7 });
    near.write(Buffer.concat([encoder.encode({ type: 'ping', id: 8 }), ping]));
    expect(await buffer(near.take(1))).toEqual(ping);
    server.destroy();
  });

  test('gives up a peer that speaks something else', async () => {
    const [near, far] = duplexPair();
    const server = new SpdySession(far, { role: 'server' });
    near.on('error', () => undefined).write('GET / HTTP/1.1\r\n\r\n'.replace('G', '\x80'));
    await server.closed;
    expect(far.destroyed).toBe(true);
  });
});
