import { queryString } from '@liqo/kube';
import { expect, test } from 'vitest';
import { HttpRefusal } from '../http-refusal.ts';
import { parseRoute } from '../route.ts';
import { protocolHeaders, streamQuery, switchingHead, wantedProtocol } from './stream-request.ts';

function translate(target: string): string {
  const route = parseRoute('POST', target);
  if (route.type !== 'stream') throw new Error('This is no stream');
  return queryString(streamQuery(route));
}

test.each([
  [
    '/exec/shop/web/main?command=ls&command=-l&command=a%20b&input=1&output=1&error=1',
    '?container=main&command=ls&command=-l&command=a%20b&stdin=true&stdout=true&stderr=true',
  ],
  [
    '/exec/shop/web/main?tty=1&output=1&command=&command=%F0%9F%90%B1',
    '?container=main&command=&command=%F0%9F%90%B1&stdout=true&tty=true',
  ],
  ['/exec/shop/web/main?command=x&stdin=true&stdout=false', '?container=main&command=x&stdin=true'],
  ['/attach/shop/web/main?input=1&command=ignored&tty=0&x=y', '?container=main&stdin=true'],
  ['/portForward/shop/web', ''],
  ['/portForward/shop/web?port=80%2C443&x=y', '?ports=80&ports=443'],
])('streamQuery() makes of %s %s', (target, query) => {
  expect(translate(target)).toBe(query);
});

test.each(['0', '65536', '-1', 'http', '80,', '1e3', ' 80'])(
  'streamQuery() does not take %j for a port',
  (port) => {
    const target = `/portForward/shop/web?port=${encodeURIComponent(port)}`;
    expect(() => translate(target)).toThrow(HttpRefusal);
  },
);

test.each([
  ['SPDY/3.1', 'SPDY/3.1'],
  ['spdy/3.1', 'SPDY/3.1'],
  ['websocket', 'websocket'],
  ['WebSocket', 'websocket'],
])('wantedProtocol() takes %s for %s', (upgrade, protocol) => {
  expect(wantedProtocol({ upgrade })).toBe(protocol);
});

test.each(['', 'h2c', 'SPDY/2', 'websockets'])('wantedProtocol() refuses %j', (upgrade) => {
  expect(() => wantedProtocol({ upgrade })).toThrow('SPDY/3.1 and WebSocket are spoken here');
});

test('protocolHeaders() passes nothing on but what the protocol needs', () => {
  const headers = {
    authorization: 'Bearer x',
    cookie: 'x',
    host: 'node',
    'impersonate-user': 'root',
    'x-forwarded-for': '10.0.0.1',
    'x-stream-protocol-version': ['v5.channel.k8s.io', 'v4.channel.k8s.io'],
    'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.eA',
  };
  expect(protocolHeaders(headers)).toEqual({
    'x-stream-protocol-version': 'v5.channel.k8s.io, v4.channel.k8s.io',
  });
});

test('switchingHead() says what the provider agreed to, and nothing else', () => {
  const headers = {
    upgrade: 'SPDY/3.1',
    'x-stream-protocol-version': 'v4.channel.k8s.io',
    'set-cookie': ['x'],
  };
  expect(switchingHead(headers)).toBe(
    'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\nx-stream-protocol-version: v4.channel.k8s.io\r\n\r\n',
  );
});
