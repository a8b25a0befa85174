import { addResources, deepEqual, ownMember } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyMetadata } from './applied-metadata.ts';
import { acceptedNamespaces } from './namespaces/accepted-namespaces.ts';
import { desiredNames } from './namespaces/desired-names.ts';
import { offloadingStatus, providersWithNamespace } from './namespaces/offloading-status.ts';
import { withoutFates } from './pods/field-rule.ts';
import { followResources } from './pods/follow-pod-spec.ts';
import { podSpecFields } from './pods/pod-spec-fields.ts';

/** What every object inherits, what assignment treats specially, and a usual key. */
const inherited = Object.getOwnPropertyNames(Object.prototype);
const keys = fc.constantFrom(...inherited, 'shop');

/** As `JSON.parse` makes it: every key is a member of its own. */
function record<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  const entries = fc.uniqueArray(fc.tuple(keys, values), { selector: ([key]) => key });
  return entries.map((pairs) => Object.fromEntries(pairs));
}

const texts = record(fc.constantFrom('x', 'y'));
const amounts = record(fc.constantFrom('1', '2'));

function members(value: object | undefined): Map<string, unknown> {
  return new Map(Object.entries(value ?? {}));
}

test('applyMetadata() sets, keeps and removes labels of any name', () => {
  fc.assert(
    fc.property(texts, texts, texts, (foreign, first, second) => {
      const wish = (labels: Record<string, string>) => ({ labels, annotations: labels });
      const once = applyMetadata({ labels: foreign, annotations: foreign }, wish(first));
      expect(members(once.labels)).toEqual(new Map([...members(foreign), ...members(first)]));
      const twice = applyMetadata(once, wish(second));
      const kept = [...members(foreign)].filter(([key]) => !members(first).has(key));
      expect(members(twice.labels)).toEqual(new Map([...kept, ...members(second)]));
      expect(deepEqual(applyMetadata(twice, wish(second)), twice)).toBe(true);
    }),
  );
});

test('desiredNames() and acceptedNamespaces() read namespaces of any name', () => {
  fc.assert(
    fc.property(texts, (desiredMapping) => {
      const { distinct, shared } = desiredNames({ spec: { desiredMapping } });
      expect(new Set([...distinct, ...shared].map(({ local }) => local))).toEqual(
        new Set(Object.keys(desiredMapping)),
      );
      const unanswered = { spec: { desiredMapping }, status: { currentMapping: {} } };
      expect(acceptedNamespaces(unanswered, 'liqo').size).toBe(0);
    }),
  );
});

test.each(inherited)('a namespace called %s is offloaded only where a provider has it', (name) => {
  const provider = { clusterID: 'milan', nodes: [], namespaceMap: { spec: {}, status: {} } };
  const empty = { ...provider, namespaceMap: { spec: {}, status: { currentMapping: {} } } };
  expect(providersWithNamespace(name, [provider, empty])).toEqual([]);
});

test('offloadingStatus() keeps the conditions of providers of any name', () => {
  fc.assert(
    fc.property(fc.uniqueArray(keys), (clusterIDs) => {
      const providers = clusterIDs.map((clusterID) => ({
        clusterID,
        nodes: [],
        namespaceMap: { spec: {}, status: { currentMapping: {} } },
      }));
      const strategy = { namespaceMappingStrategy: 'DefaultName' } as const;
      const spec = { ...strategy, podOffloadingStrategy: 'Remote' } as const;
      const facts = { namespace: 'shop', remoteName: 'x', providers, isSelected: () => true };
      const first = offloadingStatus({
        ...facts,
        offloading: { spec },
        now: '2026-01-01T00:00:00Z',
      });
      const known = members(first.remoteNamespacesConditions);
      expect(new Set(known.keys())).toEqual(new Set(clusterIDs));
      const offloading = { spec, status: first };
      const later = offloadingStatus({ ...facts, offloading, now: '2026-02-02T00:00:00Z' });
      expect(deepEqual(later, first)).toBe(true);
    }),
  );
});

test('withoutFates() copies fields of any name that the table does not know', () => {
  fc.assert(
    fc.property(texts, (spec) => {
      expect(members(withoutFates(spec, podSpecFields, ['removed', 'refused']))).toEqual(
        members(spec),
      );
    }),
  );
});

test('addResources() and followResources() take resources of any name', () => {
  fc.assert(
    fc.property(amounts, amounts, (current, wanted) => {
      const sum = members(addResources(current, wanted));
      expect(new Set(sum.keys())).toEqual(
        new Set([...Object.keys(current), ...Object.keys(wanted)]),
      );
      const pod = (limits: Record<string, string>) => ({
        containers: [{ name: 'web', resources: { limits } }],
      });
      const [container] = followResources(pod(current), pod(wanted)).containers;
      const limits = container?.resources?.limits ?? {};
      for (const [key, amount] of members(wanted)) expect(ownMember(limits, key)).toBe(amount);
    }),
  );
});

test('nothing of the above has changed what objects inherit', () => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited);
  expect(({} as Record<string, unknown>).shop).toBeUndefined();
});
