import { checkDnsLabel, checkDnsSubdomain } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HttpRefusal } from './http-refusal.ts';
import { parseRoute } from './route.ts';

const words = [
  'containerLogs',
  'exec',
  'attach',
  'portForward',
  'metrics',
  'cadvisor',
  'pods',
  'stats',
  'summary',
  'shop',
  'web',
  'main',
];
const tricks = ['..', '.', '', '%2e%2e', '%2E.', '%2f', '%00', '\0', '\\', ';', '\u202e', '%', '#'];
const segment = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...tricks),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ minLength: 300, maxLength: 2_000 }),
);
const target = fc.oneof(
  fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`),
  fc.string({ unit: 'binary' }),
);

test('parseRoute() either refuses, or gives names that stay within their segment', () => {
  fc.assert(
    fc.property(fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS'), target, (method, line) => {
      try {
        const route = parseRoute(method, line);
        if (!('namespace' in route)) return;
        expect(checkDnsLabel(route.namespace)).toEqual([]);
        expect(checkDnsSubdomain(route.pod)).toEqual([]);
        if (route.container !== undefined) expect(checkDnsLabel(route.container)).toEqual([]);
        const path = line.split('?')[0];
        expect(path?.split('/').slice(2)).toEqual(
          [route.namespace, route.pod, route.container].filter((name) => name !== undefined),
        );
      } catch (error) {
        if (!(error instanceof HttpRefusal)) throw error;
        expect([400, 404, 405]).toContain(error.code);
      }
    }),
    { numRuns: 1_000 },
  );
});
