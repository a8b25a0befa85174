import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptedNodeLabels } from './accepted-node-labels.ts';

const numRuns = Number(process.env.FUZZED_PROVIDER_OBJECTS ?? 1_000);
const timeout = 120_000 + numRuns * 10;

const domains = fc.constantFrom(
  'kubernetes.io',
  'node-role.kubernetes.io',
  'node.kubernetes.io',
  'topology.kubernetes.io',
  'x.topology.kubernetes.io',
  'k8s.io',
  'a.k8s.io',
  'liqo.io',
  'offloading.liqo.io',
  'notliqo.io',
  'KUBERNETES.IO',
  'kubernetes.io.',
  '.kubernetes.io',
  'example.org',
  '',
);
const texts = fc.oneof(
  fc.constantFrom(
    'control-plane',
    'zone',
    'provider',
    '__proto__',
    'a/b',
    '',
    '-a',
    'x'.repeat(64),
  ),
  fc.string({ maxLength: 8 }),
  fc.stringMatching(/^[a-z]{1,8}$/),
);
const keys = fc.oneof(
  texts,
  fc.tuple(domains, texts).map((parts) => parts.join('/')),
);
const values = fc.oneof(texts, fc.constantFrom(null, 1, {}, ['a'], 'true'));

/** As `JSON.parse` makes it: every key is a member of its own. */
const labels = fc
  .uniqueArray(fc.tuple(keys, values), { selector: ([key]) => key, maxLength: 80 })
  .map((pairs) => Object.fromEntries(pairs) as Record<string, string>);

/** Written anew, from the documentation of Kubernetes. */
function problemsOf(key: string, value: unknown): readonly string[] {
  const [name = '', domain] = key.split('/').toReversed();
  const isReserved = /(^|\.)(kubernetes\.io|k8s\.io|liqo\.io)$/.test(domain ?? '');
  const isFree = domain === 'topology.kubernetes.io' || key === 'liqo.io/provider';
  return [
    ...(isReserved && !isFree ? ['reserved'] : []),
    ...(/^[A-Za-z0-9][-\w.]{0,62}$/.test(name) && /[A-Za-z0-9]$/.test(name) ? [] : ['name']),
    ...(domain === undefined || /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(domain) ? [] : ['domain']),
    ...(typeof value === 'string' && value.length <= 63 ? [] : ['value']),
  ];
}

test('acceptedNodeLabels() gives a Node no label of Kubernetes and none that it cannot have, of whatever slice', {
  timeout,
}, () => {
  let accepted = 0;
  fc.assert(
    fc.property(labels, (said) => {
      const entries = Object.entries(acceptedNodeLabels(said));
      accepted += entries.length;
      expect(entries.length).toBeLessThanOrEqual(64);
      const problems = entries.flatMap(([key, value]) => problemsOf(key, value));
      if (problems.length > 0) expect({ entries, problems }).toEqual({});
    }),
    { numRuns, seed: 4 },
  );
  expect(accepted).toBeGreaterThan(numRuns / 2);
});
