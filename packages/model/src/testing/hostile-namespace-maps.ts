import type { NamespaceMap } from '@liqo/api';
import fc from 'fast-check';

const names = [
  'shop',
  'shop-rome',
  'default',
  'kube-system',
  'kube-public',
  'kube-evil',
  'liqo',
  'liqo-tenant-rome',
  'liqo-tenant-oslo',
  'argocd',
  'taken',
  '__proto__',
  'constructor',
  'toString',
  '',
  '.',
  '..',
  '../kube-system',
  'shop/../kube-system',
  'shop?dryRun=All',
  'shop%2f..',
  'Shop',
  'shop\u0000',
  '\u001b[2J',
  '\ud800',
  'x'.repeat(63),
  'x'.repeat(64),
  'x'.repeat(10_000),
];

const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names) },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);

/** As `JSON.parse` makes it: every key is a member of its own. */
function record<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  const entries = fc.uniqueArray(fc.tuple(name, values), {
    selector: ([key]) => key,
    maxLength: 12,
  });
  return entries.map((pairs) => Object.fromEntries(pairs));
}

const mapping = fc.record(
  {
    remoteNamespace: name,
    phase: fc.constantFrom('Accepted', 'CreationLoopBackOff', 'Terminating'),
    reason: name,
    message: name,
  },
  { requiredKeys: ['remoteNamespace'] },
);

/** NamespaceMaps as a malicious peer writes them, where it can write both spec and status. */
export const hostileNamespaceMaps: fc.Arbitrary<Pick<NamespaceMap, 'spec' | 'status'>> = fc.record({
  spec: fc.record({ desiredMapping: record(name) }),
  status: fc.record({ currentMapping: record(mapping) }),
});
