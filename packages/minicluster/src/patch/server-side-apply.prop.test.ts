import { deepEqual, type KubeObject } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInSchemas } from '../schema/built-in-schemas.ts';
import { decodeObject } from '../schema/decode.ts';
import { recordUpdate } from './managed-fields.ts';
import { applyConfiguration } from './server-side-apply.ts';

const schemas = builtInSchemas();
const schema = schemas.ofKind('apps', 'v1', 'Deployment') ?? {};

/** Part of a container. Quantities are in canonical form: another spelling of the same one would be a change. */
const containers = (names: readonly string[]) =>
  fc.uniqueArray(
    fc.record(
      {
        name: fc.constantFrom(...names),
        image: fc.constantFrom('one', 'two'),
        args: fc.array(fc.constantFrom('x', 'y'), { minLength: 1, maxLength: 2 }),
        env: fc.uniqueArray(
          fc.record({ name: fc.constantFrom('E', 'F', 'G'), value: fc.constantFrom('1', '2') }),
          { selector: ({ name }) => name, minLength: 1 },
        ),
        resources: fc.record({ limits: fc.record({ cpu: fc.constantFrom('1', '500m') }) }),
      },
      { requiredKeys: ['name'] },
    ),
    { selector: ({ name }) => name, minLength: 1, maxLength: 3 },
  );

/** A part of a Deployment, with names from one alphabet only. */
function configurations(prefix: string) {
  const names = ['a', 'b', 'c'].map((name) => prefix + name);
  const labels = fc.dictionary(fc.constantFrom(...names), fc.constantFrom('1', '2'), {
    minKeys: 1,
  });
  const pod = fc.record({ containers: containers(names) });
  return fc
    .record({ labels: fc.option(labels), pod: fc.option(pod) })
    .map(({ labels: given, pod: spec }) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x', ...(given && { labels: given }) },
      ...(spec && { spec: { template: { spec } } }),
    }));
}

const configs = configurations('');

function apply(manager: string, live: KubeObject | undefined, config: KubeObject, force = true) {
  const by = { manager, apiVersion: 'apps/v1', force, time: '2026-01-01T00:00:00Z' };
  return applyConfiguration(schemas, schema, live, config, by).object;
}

function content({ metadata, ...object }: KubeObject): object {
  const { managedFields: _, ...rest } = metadata ?? {};
  return { ...object, metadata: rest };
}

test('to apply the same again changes nothing, not even a time', () => {
  fc.assert(
    fc.property(configs, configs, (first, second) => {
      const live = apply('b', apply('a', undefined, first), second);
      const by = {
        manager: 'b',
        apiVersion: 'apps/v1',
        force: false,
        time: '2027-01-01T00:00:00Z',
      };
      expect(applyConfiguration(schemas, schema, live, second, by).object).toEqual(live);
    }),
  );
});

test('managers of different fields do not care who is first, but for the order of lists', () => {
  fc.assert(
    fc.property(configurations('x'), configurations('y'), (ours, theirs) => {
      const base = apply('base', undefined, { ...bare, metadata: { name: 'x' } });
      const one = apply('b', apply('a', base, ours, false), theirs, false);
      const other = apply('a', apply('b', base, theirs, false), ours, false);
      expect(unordered(one)).toEqual(unordered(other));
    }),
  );
});

test('who applies nothing any more takes away what it alone owned', () => {
  fc.assert(
    fc.property(configurations('x'), configurations('y'), (ours, theirs) => {
      const before = apply('a', undefined, ours);
      const after = apply('b', apply('b', before, theirs), { ...bare, metadata: { name: 'x' } });
      expect(content(after)).toEqual(content(before));
      expect(after.metadata?.managedFields).toEqual(before.metadata?.managedFields);
    }),
  );
});

test('what was applied is what is there', () => {
  fc.assert(
    fc.property(configs, configs, (first, second) => {
      const live = apply('b', apply('a', undefined, first), second);
      expect(unordered(live)).toMatchObject(unordered(second) as object);
    }),
  );
});

test('every field of an object has a manager once somebody has written it', () => {
  fc.assert(
    fc.property(configs, configs, (first, second) => {
      const [before, after] = [decoded(first), decoded(second)];
      const by = { manager: 'u', apiVersion: 'apps/v1', time: '2026-01-01T00:00:00Z' };
      const created = recordUpdate(schemas, schema, undefined, before, by);
      fc.pre(created.metadata?.managedFields !== undefined);
      const updated = recordUpdate(schemas, schema, withUid(created), withUid(after), by);
      const anew = recordUpdate(schemas, schema, undefined, after, by);
      const [entry] = updated.metadata?.managedFields ?? [];
      const [fresh] = anew.metadata?.managedFields ?? [];
      expect(deepEqual(entry?.fieldsV1, fresh?.fieldsV1)).toBe(true);
    }),
  );
});

const bare = { apiVersion: 'apps/v1', kind: 'Deployment' };

function withUid(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid: 'u' } };
}

function decoded(object: object): KubeObject {
  return decodeObject(schemas, schema, object).object as KubeObject;
}

/** Lists that are merged by name, as maps. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isNamed = value.every(
      (item) => typeof item === 'object' && item !== null && 'name' in item,
    );
    if (!isNamed) return value;
    return Object.fromEntries(
      value.map((item) => [(item as { name: string }).name, unordered(item)]),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unordered(member)]));
}
