import { expect, test } from 'vitest';
import { parseProxyTarget } from './proxy-target.ts';

test.each([
  ['web', { scheme: '', name: 'web', port: '' }],
  ['web:80', { scheme: '', name: 'web', port: '80' }],
  ['https:web:tls', { scheme: 'https', name: 'web', port: 'tls' }],
  ['https:web:', { scheme: 'https', name: 'web', port: '' }],
  [':web:80', { scheme: '', name: 'web', port: '80' }],
  ['ftp:web:21', undefined],
  ['http::80', undefined],
  ['a:b:c:d', undefined],
  ['', undefined],
])('parseProxyTarget() reads "%s"', (text, target) => {
  expect(parseProxyTarget(text)).toEqual(target);
});
