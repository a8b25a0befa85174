import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { createLogger } from '@liqo/runtime';
import { eventually, VirtualClock } from '@liqo/testkit';
import { createCertificateAuthority, type KeyPair } from '@liqo/testkit/faults';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FrontDoor } from './front-door.ts';

describe('FrontDoor', () => {
  let first: KeyPair;
  let second: KeyPair;
  let door: FrontDoor;
  let said: string[];
  /** Those who have been asked for keys and have not answered. */
  let asked: { resolve(keys: KeyPair): void; reject(error: Error): void }[];

  beforeAll(async () => {
    const authority = await createCertificateAuthority('test');
    first = await authority.issueServer('first', ['127.0.0.1']);
    second = await authority.issueServer('second', ['127.0.0.1']);
  });
  beforeEach(async () => {
    asked = [];
    said = [];
    const inside = createServer({ headersTimeout: 100, connectionsCheckingInterval: 20 });
    inside.on('request', (_, response) => response.end('welcome'));
    const destination = { write: (line: string) => said.push(line) };
    const log = createLogger({ level: 'info', clock: new VirtualClock(), destination });
    const keys = () =>
      new Promise<KeyPair>((resolve, reject) => {
        asked.push({ resolve, reject });
      });
    door = new FrontDoor({ inside, keys, log });
    await door.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => door[Symbol.asyncDispose]());

  const where = () => ({ host: '127.0.0.1', port: door.port });

  function knock(): TLSSocket {
    const socket = connectTls({ ...where(), rejectUnauthorized: false });
    return socket.on('error', () => undefined);
  }

  const request = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

  function closed(socket: Socket): Promise<void> {
    return new Promise((resolve) => socket.resume().once('close', () => resolve()));
  }

  const askedTimes = (times: number) => eventually(() => expect(asked).toHaveLength(times));

  const answerAll = (keys: KeyPair | undefined) => {
    for (const { resolve, reject } of asked.splice(0)) {
      if (keys) resolve(keys);
      else reject(new Error('out of keys'));
    }
  };

  test('asks for no keys before somebody comes', async () => {
    await new Promise(setImmediate);
    expect(asked).toEqual([]);
  });

  test('lets callers wait until there are keys, and loses nothing of what they say', async () => {
    const callers = [knock(), knock(), knock()];
    for (const caller of callers) caller.write(request);
    await askedTimes(3);
    expect(door.connections).toBe(3);
    answerAll(first);
    for (const caller of callers) expect(await text(caller)).toContain('welcome');
    await eventually(() => expect(door.connections).toBe(0));
  });

  test('shows everybody the certificate of the moment', async () => {
    const subjects: string[] = [];
    for (const keys of [first, second, first]) {
      const caller = knock();
      await askedTimes(1);
      answerAll(keys);
      await new Promise((resolve) => caller.once('secureConnect', resolve));
      subjects.push(new X509Certificate(caller.getPeerCertificate().raw).subject);
      caller.destroy();
    }
    expect(subjects).toEqual(['CN=first', 'CN=second', 'CN=first']);
  });

  test('sends callers away when there are no keys to be had, says why, and goes on', async () => {
    const caller = knock();
    await askedTimes(1);
    answerAll(undefined);
    await closed(caller);
    expect(said).toEqual([expect.stringContaining('"message":"out of keys"')]);
    const next = knock();
    next.write(request);
    await askedTimes(1);
    answerAll(first);
    expect(await text(next)).toContain('welcome');
  });

  test.each(['destroy', 'resetAndDestroy'] as const)(
    'forgets a caller who left by %s without waiting',
    async (leave) => {
      const caller = connectPlain(where());
      await askedTimes(1);
      caller[leave]();
      await closed(caller);
      answerAll(first);
      await eventually(() => expect(door.connections).toBe(0));
      expect(said).toEqual([]);
    },
  );

  test('sends everybody away who still waits at its end, and is not troubled by what comes later', async () => {
    const callers = [knock(), knock()].map(closed);
    await askedTimes(2);
    await door[Symbol.asyncDispose]();
    await Promise.all(callers);
    await eventually(() => expect(door.connections).toBe(0));
    const [late, later] = asked;
    late?.resolve(first);
    later?.reject(new Error('disposed'));
    await new Promise(setImmediate);
    expect(said).toEqual([]);
  });

  test('does not wait forever for a request that was begun', async () => {
    const caller = knock();
    caller.write('GET / HTTP/1.1\r\nhost:');
    await askedTimes(1);
    answerAll(first);
    expect(await text(caller)).toContain('408 Request Timeout');
  });
});
