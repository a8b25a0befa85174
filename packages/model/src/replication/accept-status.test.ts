import { NamespaceMap, Renew, type Resource, ResourceSlice } from '@liqo/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptStatus } from './accept-status.ts';

function accept(kind: Pick<Resource, 'definition'>, status: unknown) {
  return acceptStatus(kind.definition.status ?? {}, status);
}

const condition = {
  type: 'Authentication',
  status: 'Accepted',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  reason: 'ResourceSliceAuthenticationAccepted',
  message: 'ResourceSlice authentication accepted',
};
const recorded = {
  authParams: { apiServer: 'https://127.0.0.1:16442', ca: 'Q0E=', signedCRT: 'Q1JU' },
  conditions: [condition],
  resources: { cpu: '500', memory: '1000Gi', pods: '10k' },
  storageClasses: [{ storageClassName: 'liqo', default: true }],
  nodeLabels: { region: 'eu' },
};

test('acceptStatus() takes over what was recorded from Liqo as it is', () => {
  expect(accept(ResourceSlice, recorded)).toEqual({ value: recorded, refused: [] });
  const mapping = { shop: { remoteNamespace: 'shop-rome', phase: 'Accepted' } };
  const status = { currentMapping: mapping };
  expect(accept(NamespaceMap, status)).toEqual({ value: status, refused: [] });
  const renewed = { authParams: recorded.authParams };
  expect(accept(Renew, renewed)).toEqual({ value: renewed, refused: [] });
});

test('acceptStatus() leaves out fields that the kind does not have', () => {
  const status = { ...recorded, more: 1, conditions: [{ ...condition, extra: 'x' }] };
  expect(accept(ResourceSlice, status)).toEqual({ value: recorded, refused: [] });
});

test.each<[string, object, object]>([
  [
    'a condition of another type',
    { conditions: [{ ...condition, type: 'X' }] },
    { conditions: [] },
  ],
  ['a condition without a status', { conditions: [{ type: 'Resources' }] }, { conditions: [] }],
  ['a quantity that is none', { resources: { cpu: 'x', pods: 5 } }, { resources: { pods: 5 } }],
  ['a negative quantity', { resources: { cpu: -1 } }, { resources: {} }],
  ['a text in place of a map', { resources: 'x' }, {}],
  [
    'a time that is none',
    { conditions: [{ ...condition, lastTransitionTime: 'now' }] },
    {
      conditions: [{ ...condition, lastTransitionTime: undefined }],
    },
  ],
  ['bytes that are no base64', { authParams: { ca: '$' } }, { authParams: {} }],
  ['bytes without an end', { authParams: { ca: 'A'.repeat(70_000) } }, { authParams: {} }],
  ['a label without an end', { nodeLabels: { a: 'x'.repeat(3_000) } }, { nodeLabels: {} }],
  ['half a character', { nodeLabels: { a: '\ud800' } }, { nodeLabels: {} }],
  [
    'more classes than anybody has',
    {
      storageClasses: Array.from({ length: 300 }, () => ({ storageClassName: 'a' })),
    },
    {},
  ],
])('acceptStatus() leaves out %s, and says where', (_, status, expected) => {
  const accepted = accept(ResourceSlice, status);
  expect(accepted?.value).toEqual(expected);
  expect(accepted?.refused.length).toBeGreaterThan(0);
});

test('acceptStatus() cuts messages, and takes escape sequences out of them', () => {
  const message = `\u001b[31m${'x'.repeat(5_000)}`;
  const accepted = accept(ResourceSlice, { conditions: [{ ...condition, message }] });
  const text = JSON.stringify(accepted?.value);
  expect(text.length).toBeLessThan(1_500);
  expect(text).not.toContain('u001b');
});

test('acceptStatus() takes over nothing of a status of a megabyte', () => {
  const nodeLabels = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [n, 'x'.repeat(1_000)]),
  );
  expect(accept(ResourceSlice, { nodeLabels })).toBeUndefined();
});

test('acceptStatus() makes something bounded of everything, which it takes over as it is', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 5 }),
      fc.constantFrom(...Object.keys(recorded)),
      (json, field) => {
        for (const status of [json, { ...recorded, [field]: json }]) {
          const accepted = accept(ResourceSlice, status);
          if (accepted?.value === undefined) continue;
          expect(accept(ResourceSlice, accepted.value)).toEqual({
            value: accepted.value,
            refused: [],
          });
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('acceptStatus() keeps keys such as __proto__ plain data', () => {
  const status = JSON.parse('{"nodeLabels":{"__proto__":"x","constructor":"y"}}');
  const value = accept(ResourceSlice, status)?.value as { nodeLabels: object };
  expect(Object.entries(value.nodeLabels)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  expect(Object.getPrototypeOf(value.nodeLabels)).toBe(Object.prototype);
});
