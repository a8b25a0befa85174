import { expect, test } from 'vitest';
import { rewriteLocation } from './rewrite-location.ts';

const hosts = { backend: '10.0.0.1:80', client: 'api.example:6443' };
const prefix = '/api/v1/nodes/x/proxy';

test.each([
  ['/here', `${prefix}/here`],
  ['/here/?a=b#c', `${prefix}/here/?a=b#c`],
  ['here', 'here'],
  ['http://10.0.0.1:80/here', `${prefix}/here`],
  ['//10.0.0.1:80/here', `${prefix}/here`],
  ['https://api.example:6443/here', `https://api.example:6443${prefix}/here`],
  ['https://example.org/here', 'https://example.org/here'],
  [`${prefix}/here`, `${prefix}/here`],
])('rewriteLocation() leads from %s to %s', (location, expected) => {
  expect(rewriteLocation(location, hosts, prefix)).toBe(expected);
});
