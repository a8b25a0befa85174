import { type ConfigMap, type KubeObject, keyString, type ObjectOf, type Stored } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IndexedStore } from './indexed-store.ts';

type Config = Stored<ObjectOf<typeof ConfigMap>>;

const indexes = {
  colours: (object: Config) => (object.data?.colours ?? '').split(',').filter(Boolean),
  first: (object: Config) => (object.data?.colours ?? '').split(',').filter(Boolean).slice(0, 1),
};

const colours = ['red', 'green', 'blue'];
const namespaces = ['shop', 'bank', undefined];

const changes = fc.record({
  namespace: fc.constantFrom(...namespaces),
  name: fc.constantFrom('a', 'b', 'c'),
  colours: fc.option(fc.subarray(colours), { nil: undefined }),
});

function config(namespace: string | undefined, name: string, values: readonly string[]): Config {
  const metadata = { name, uid: name, resourceVersion: '1', creationTimestamp: '' };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: namespace === undefined ? metadata : { ...metadata, namespace },
    data: { colours: values.join(',') },
  };
}

test('IndexedStore finds exactly what a search through everything finds', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 30 }), (sequence) => {
      const store = new IndexedStore(indexes);
      const model = new Map<string, Config>();
      for (const { namespace, name, colours: values } of sequence) {
        const key = keyString({ namespace, name });
        if (values === undefined) {
          store.delete(key);
          model.delete(key);
        } else {
          const object = config(namespace, name, values);
          store.set(key, object);
          model.set(key, object);
        }
      }
      expect(sorted(store.list())).toEqual(sorted([...model.values()]));
      expect(store.size).toBe(model.size);
      for (const namespace of ['shop', 'bank', 'elsewhere']) {
        const expected = [...model.values()].filter((one) => one.metadata.namespace === namespace);
        expect(sorted(store.inNamespace(namespace))).toEqual(sorted(expected));
        expect(store.count(namespace)).toBe(expected.length);
      }
      for (const colour of colours) {
        const having = [...model.values()].filter((one) => indexes.colours(one).includes(colour));
        const leading = having.filter((one) => indexes.first(one)[0] === colour);
        expect(sorted(store.byIndex('colours', colour))).toEqual(sorted(having));
        expect(sorted(store.byIndex('first', colour))).toEqual(sorted(leading));
      }
    }),
  );
});

function sorted(objects: readonly Stored<KubeObject>[]): readonly Stored<KubeObject>[] {
  return objects.toSorted((a, b) => (keyString(a.metadata) < keyString(b.metadata) ? -1 : 1));
}
