import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInSchemas } from '../schema/built-in-schemas.ts';
import { strategicMerge } from './strategic-merge.ts';

const schemas = builtInSchemas();
const schema = schemas.ofKind('', 'v1', 'Pod') ?? {};

const containers = fc.uniqueArray(
  fc.record(
    {
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      image: fc.constantFrom('one', 'two'),
      args: fc.array(fc.constantFrom('x', 'y')),
    },
    { requiredKeys: ['name'] },
  ),
  { selector: ({ name }) => name },
);

const pods = fc.record(
  {
    metadata: fc.record({ finalizers: fc.uniqueArray(fc.constantFrom('x/1', 'x/2', 'x/3')) }),
    spec: fc.record({ containers, hostname: fc.constantFrom('h', 'i') }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

test('a patch of nothing changes nothing', () => {
  fc.assert(
    fc.property(pods, (pod) => {
      expect(strategicMerge(schemas, schema, pod, {})).toEqual(pod);
    }),
  );
});

test('an object is its own patch', () => {
  fc.assert(
    fc.property(pods, (pod) => {
      expect(strategicMerge(schemas, schema, pod, pod)).toEqual(pod);
      expect(strategicMerge(schemas, schema, {}, pod)).toEqual(pod);
    }),
  );
});

test('the second time a patch changes nothing', () => {
  fc.assert(
    fc.property(pods, pods, (pod, patch) => {
      const patched = strategicMerge(schemas, schema, pod, patch);
      expect(strategicMerge(schemas, schema, patched, patch)).toEqual(patched);
    }),
  );
});

test('items of the patch keep their order, and so do those that only the object has', () => {
  fc.assert(
    fc.property(containers, containers, (live, wanted) => {
      const patched = strategicMerge(
        schemas,
        schema,
        { spec: { containers: live } },
        { spec: { containers: wanted } },
      );
      const names = (patched as { spec: { containers: { name: string }[] } }).spec.containers.map(
        ({ name }) => name,
      );
      const wantedNames: string[] = wanted.map(({ name }) => name);
      const otherNames: string[] = live
        .map(({ name }) => name)
        .filter((name) => !wantedNames.includes(name));
      expect(names.filter((name) => wantedNames.includes(name))).toEqual(wantedNames);
      expect(names.filter((name) => !wantedNames.includes(name))).toEqual(otherNames);
    }),
  );
});
