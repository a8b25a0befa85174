import {
  CustomResourceDefinition,
  isForbidden,
  isInvalid,
  isNotFound,
  type Kind,
  mergePatch,
  type Stored,
} from '@liqo/kube';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import {
  causesOf,
  change,
  type DefinitionSpec,
  establish,
  forgeDefinition,
  forgeWidget,
  ignoreNotFound,
  kindOf,
  open,
  rule,
  type Schema,
  tableOf,
  untilEstablished,
  versionOf,
  versionWith,
  type Widget,
} from './custom-widget.ts';
import type { GetSubject } from './subject.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };

/** CustomResourceDefinitions from their creation to their end, and what the server does for the objects between. */
export function customResources(subject: GetSubject): void {
  describe('custom resources', () => {
    const made: string[] = [];
    let count = 0;

    /** A definition of the test's own, of cluster-scoped objects. */
    const forge = (version: object, names: object = {}) => {
      count += 1;
      const group = `test-${Math.floor(performance.timeOrigin % 1e9)}-${count}.example.org`;
      made.push(`widgets.${group}`);
      return forgeDefinition(group, version, names);
    };

    const install = async (version: object): Promise<Kind<Widget>> => {
      const definition = forge(version);
      await establish(subject(), definition);
      return kindOf(definition.spec.group);
    };

    const withSpec = (properties: Schema, more: object = {}) =>
      install({ ...versionOf(properties), ...more });

    afterAll(async () => {
      const { client } = subject();
      for (const name of made) {
        await client.delete(CustomResourceDefinition, { name }).catch(ignoreNotFound);
      }
    });

    describe('definitions', () => {
      test('get their names, are established, and remember the version that is stored', async () => {
        const { client } = subject();
        const { metadata } = await establish(subject(), forge(versionOf({})));
        const crd = await client.get(CustomResourceDefinition, metadata);
        expect(crd?.status).toMatchObject({
          acceptedNames: { plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
          storedVersions: ['v1'],
          conditions: [
            { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts' },
            {
              type: 'Established',
              status: 'True',
              reason: 'InitialNamesAccepted',
              message: 'the initial names have been accepted',
            },
          ],
        });
      });

      test.each([
        ['a field without a type', { a: {} }, 'properties[a].type'],
        ['a list without items', { a: { type: 'array' } }, 'properties[a].items'],
        [
          'a default of the wrong type',
          { a: { ...integer, default: 'x' } },
          'properties[a].default',
        ],
        [
          'a list-map without keys',
          { a: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' } },
          'properties[a].x-kubernetes-list-map-keys',
        ],
        [
          'a rule of an unknown field',
          { a: { type: 'object', properties: {}, ...rule('self.b == 1') } },
          'properties[a].x-kubernetes-validations[0].rule',
        ],
      ])('are refused with %s', async (_, properties, place) => {
        const definition = forge(versionOf(properties));
        const error = await rejection(
          subject().client.create(CustomResourceDefinition, definition),
        );
        expect(isInvalid(error), String(error)).toBe(true);
        const field = `spec.validation.openAPIV3Schema.properties[spec].${place}`;
        expect(error).toMatchObject({ details: { causes: [{ field }] } });
      });

      test('keep what objects are stored under', async () => {
        const { client } = subject();
        const crd = await establish(subject(), forge(versionOf({})));
        const spec = { ...crd.spec, scope: 'Namespaced' };
        const error = await rejection(client.update(CustomResourceDefinition, { ...crd, spec }));
        expect(error).toMatchObject({ details: { causes: [{ field: 'spec.scope' }] } });
      });

      test('wait for a name that another one of the group has', async () => {
        const { client } = subject();
        const first = await establish(subject(), forge(versionOf({})));
        const { group } = first.spec;
        const rival = forgeDefinition(group, versionOf({}), { plural: 'gadgets', kind: 'Widget' });
        made.push(rival.metadata.name);
        await client.create(CustomResourceDefinition, rival);
        await eventually(async () => {
          const crd = await client.get(CustomResourceDefinition, rival.metadata);
          expect(crd?.status?.conditions).toMatchObject([
            { type: 'NamesAccepted', status: 'False', reason: 'ListKindConflict' },
            { type: 'Established', status: 'False', reason: 'NotAccepted' },
          ]);
        });
        await client.delete(CustomResourceDefinition, first.metadata);
        await untilEstablished(client, rival.metadata.name);
      });
    });

    describe('objects', () => {
      test('are refused in the words of the schema', async () => {
        const kind = await withSpec({
          count: { ...integer, minimum: 1 },
          color: { ...text, enum: ['red', 'green'] },
          code: { ...text, pattern: '^[a-z]+$' },
        });
        const spec = { count: 'many', color: 'blue', code: 'A1' };
        const error = await rejection(subject().client.create(kind, forgeWidget('one', spec)));
        expect(isInvalid(error), String(error)).toBe(true);
        expect(causesOf(error)).toEqual([
          {
            field: 'spec.code',
            reason: 'FieldValueInvalid',
            message: `Invalid value: "A1": spec.code in body should match '^[a-z]+$'`,
          },
          {
            field: 'spec.color',
            reason: 'FieldValueNotSupported',
            message: 'Unsupported value: "blue": supported values: "red", "green"',
          },
          {
            field: 'spec.count',
            reason: 'FieldValueTypeInvalid',
            message: `Invalid value: "string": spec.count in body must be of type integer: "string"`,
          },
        ]);
      });

      test('lose unknown fields, with a warning or, when validation is strict, a refusal', async () => {
        const { client, warnings } = subject();
        const kind = await withSpec({ known: text });
        const before = warnings.length;
        const widget = forgeWidget('one', { known: 'x', stray: 1 });
        expect((await client.create(kind, widget)).spec).toEqual({ known: 'x' });
        expect(warnings.slice(before)).toEqual(['unknown field "spec.stray"']);
        const strict = client.create(
          kind,
          { ...widget, metadata: { name: 'two' } },
          { fieldValidation: 'Strict' },
        );
        expect(await rejection(strict)).toMatchObject({
          code: 400,
          message: expect.stringContaining('unknown field "spec.stray"'),
        });
      });

      test('get the defaults of the schema, also where the definition got them later', async () => {
        const { client } = subject();
        const nested = {
          type: 'object',
          default: {},
          properties: { size: { ...integer, default: 3 } },
        };
        const kind = await withSpec({ mode: { ...text, default: 'Fast' }, nested });
        const created = await client.create(kind, forgeWidget('one', {}));
        expect(created.spec).toEqual({ mode: 'Fast', nested: { size: 3 } });
        await change(client, kind, { mode: text, nested, late: { ...text, default: 'now' } });
        await eventually(async () => {
          const widget = await client.get(kind, { name: 'one' });
          expect(widget?.spec).toEqual({ mode: 'Fast', nested: { size: 3 }, late: 'now' });
        });
      });

      test('keep spec and status apart when the status is a subresource', async () => {
        const { client } = subject();
        const properties = { spec: open, status: open };
        const kind = await install({
          ...versionWith({ type: 'object', properties }),
          subresources: { status: {} },
        });
        const created = await client.create(kind, {
          ...forgeWidget('one', { a: 1 }),
          status: { b: 1 },
        });
        expect(created).not.toHaveProperty('status');
        const told = await client.updateStatus(kind, {
          ...created,
          spec: { a: 2 },
          status: { b: 2 },
        });
        expect(told).toMatchObject({
          spec: { a: 1 },
          status: { b: 2 },
          metadata: { generation: 1 },
        });
        const updated = await client.update(kind, { ...told, spec: { a: 3 }, status: { b: 3 } });
        expect(updated).toMatchObject({
          spec: { a: 3 },
          status: { b: 2 },
          metadata: { generation: 2 },
        });
      });

      test('are scaled through the paths of the definition', async () => {
        const { client } = subject();
        const kind = await install({
          ...versionWith({ type: 'object', properties: { spec: open, status: open } }),
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.workers',
              statusReplicasPath: '.status.workers',
              labelSelectorPath: '.status.selector',
            },
          },
        });
        const created = await client.create(kind, forgeWidget('one', { workers: 2 }));
        await client.updateStatus(kind, { ...created, status: { workers: 1, selector: 'a=b' } });
        const scale = await client.getScale(kind, { name: 'one' });
        expect(scale).toMatchObject({
          spec: { replicas: 2 },
          status: { replicas: 1, selector: 'a=b' },
        });
        await client.updateScale(kind, { name: 'one' }, { ...scale, spec: { replicas: 5 } });
        expect((await client.get(kind, { name: 'one' }))?.spec).toEqual({ workers: 5 });
      });

      test('are printed in the columns of the definition', async () => {
        const { client } = subject();
        const kind = await install({
          ...versionWith({ type: 'object', properties: { spec: open } }),
          additionalPrinterColumns: [
            {
              name: 'Ready',
              type: 'string',
              jsonPath: '.spec.conditions[?(@.type=="Ready")].status',
            },
            { name: 'Label', type: 'string', jsonPath: '.metadata.labels.example\\.org/color' },
            { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
          ],
        });
        const labels = { 'example.org/color': 'red' };
        const conditions = [
          { type: 'Sad', status: 'True' },
          { type: 'Ready', status: 'False' },
        ];
        await client.create(kind, {
          metadata: { name: 'one', labels },
          spec: { conditions, size: 4 },
        });
        const table = await tableOf(client, kind);
        expect(table.columnDefinitions.map(({ name, priority }) => [name, priority])).toEqual([
          ['Name', 0],
          ['Ready', 0],
          ['Label', 0],
          ['Size', 1],
        ]);
        expect(table.rows.map(({ cells }) => cells)).toEqual([['one', 'False', 'red', 4]]);
      });

      test('are selected by the fields of the definition', async () => {
        const { client } = subject();
        const kind = await withSpec(
          { color: text },
          { selectableFields: [{ jsonPath: '.spec.color' }] },
        );
        await client.create(kind, forgeWidget('one', { color: 'red' }));
        await client.create(kind, forgeWidget('two', { color: 'blue' }));
        const { items } = await client.list(kind, { fieldSelector: 'spec.color=blue' });
        expect(items.map((item) => item.metadata.name)).toEqual(['two']);
        const other = client.list(kind, { fieldSelector: 'spec.size=1' });
        expect(await rejection(other)).toMatchObject({ code: 400 });
      });

      test('are the same in all versions that are served', async () => {
        const { client } = subject();
        const definition = forge(versionOf({ a: text }));
        const [v1] = definition.spec.versions;
        const later = { a: text, b: { ...text, default: 'only when written' } };
        const v2 = { ...v1, ...versionOf(later), name: 'v2', storage: false };
        const versions = [v1, v2] as DefinitionSpec['versions'];
        const spec = { ...definition.spec, versions };
        await establish(subject(), { ...definition, spec });
        const kind = kindOf(definition.spec.group);
        await client.create(kind, forgeWidget('one', { a: 'x' }));
        const newer = await client.get({ ...kind, version: 'v2' }, { name: 'one' });
        expect(newer?.apiVersion).toBe(`${kind.group}/v2`);
        expect(newer?.spec).toEqual({ a: 'x' });
        const { items } = await client.list({ ...kind, version: 'v2' });
        expect(items.map((item) => item.apiVersion)).toEqual([`${kind.group}/v2`]);
      });

      test('are applied again and again', async () => {
        const { client } = subject();
        const kind = await withSpec({ a: text, mode: { ...text, default: 'Fast' } });
        await client.apply(kind, forgeWidget('one', { a: 'x' }));
        const applied = await client.apply(kind, forgeWidget('one', { a: 'y' }));
        expect(applied.spec).toEqual({ a: 'y', mode: 'Fast' });
      });

      test('need the version they were read in to be updated', async () => {
        const { client } = subject();
        const kind = await withSpec({ a: text });
        await client.create(kind, forgeWidget('one', { a: 'x' }));
        const blind = await rejection(
          client.update(kind, forgeWidget('one', { a: 'y' }) as Stored<Widget>),
        );
        expect(blind).toMatchObject({
          code: 422,
          details: { causes: [{ field: 'metadata.resourceVersion' }] },
        });
      });
    });

    describe('rules', () => {
      test('refuse what breaks them, at their field and in their words', async () => {
        const kind = await withSpec({
          range: {
            type: 'object',
            properties: { low: integer, high: integer },
            ...rule('self.low <= self.high', { message: 'low is above high', fieldPath: '.low' }),
          },
          times: {
            type: 'object',
            properties: {
              from: { ...text, format: 'date-time' },
              to: { ...text, format: 'date-time' },
            },
            ...rule('self.to > self.from'),
          },
        });
        const spec = {
          range: { low: 2, high: 1 },
          times: { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00+02:00' },
        };
        const error = await rejection(subject().client.create(kind, forgeWidget('one', spec)));
        expect(causesOf(error)).toEqual([
          {
            field: 'spec.range.low',
            reason: 'FieldValueInvalid',
            message: 'Invalid value: low is above high',
          },
          {
            field: 'spec.times',
            reason: 'FieldValueInvalid',
            message: 'Invalid value: failed rule: self.to > self.from',
          },
        ]);
      });

      test('compare with what was there before', async () => {
        const { client } = subject();
        const port = {
          type: 'object',
          required: ['name'],
          properties: {
            name: { ...text, maxLength: 10 },
            number: { ...integer, ...rule('self >= oldSelf', { message: 'never sinks' }) },
          },
        };
        const kind = await withSpec({
          id: { ...text, maxLength: 10, ...rule('self == oldSelf', { message: 'is fixed' }) },
          ports: {
            type: 'array',
            maxItems: 5,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: port,
          },
        });
        const ports = [
          { name: 'a', number: 5 },
          { name: 'b', number: 5 },
        ];
        const created = await client.create(kind, forgeWidget('one', { id: 'x', ports }));
        const changed = {
          id: 'y',
          ports: [
            { name: 'b', number: 6 },
            { name: 'a', number: 4 },
          ],
        };
        const error = await rejection(client.update(kind, { ...created, spec: changed }));
        expect(causesOf(error)).toEqual([
          {
            field: 'spec.id',
            reason: 'FieldValueInvalid',
            message: 'Invalid value: "y": is fixed',
          },
          {
            field: 'spec.ports[1].number',
            reason: 'FieldValueInvalid',
            message: 'Invalid value: 4: never sinks',
          },
        ]);
      });

      test('forgive what was there before them, until it changes', async () => {
        const { client } = subject();
        const kind = await withSpec({ a: text, b: text });
        const created = await client.create(kind, forgeWidget('one', { a: 'LOUD', b: 'x' }));
        await change(client, kind, { a: { ...text, pattern: '^[a-z]+$' }, b: text });
        await eventually(async () => {
          const other = client.create(kind, forgeWidget('two', { a: 'LOUD' }), { dryRun: true });
          expect(isInvalid(await rejection(other))).toBe(true);
        });
        const updated = await client.update(kind, { ...created, spec: { a: 'LOUD', b: 'y' } });
        expect(updated.spec).toEqual({ a: 'LOUD', b: 'y' });
        const louder = client.update(kind, { ...updated, spec: { a: 'LOUDER', b: 'y' } });
        expect(causesOf(await rejection(louder))).toMatchObject([{ field: 'spec.a' }]);
      });
    });

    describe('deletion of a definition', () => {
      test('takes its objects along, and waits for those that are held', async () => {
        const { client } = subject();
        const kind = await withSpec({});
        const name = `widgets.${kind.group}`;
        await client.create(kind, forgeWidget('free', {}));
        const finalizers = ['example.org/hold'];
        await client.create(kind, { metadata: { name: 'held', finalizers }, spec: {} });
        await client.delete(CustomResourceDefinition, { name });
        await eventually(async () => {
          const crd = await client.get(CustomResourceDefinition, { name });
          expect(crd?.status?.conditions?.find(({ type }) => type === 'Terminating')).toMatchObject(
            {
              status: 'True',
              reason: 'InstanceDeletionInProgress',
              message: 'CustomResource deletion is in progress',
            },
          );
          expect(await client.get(kind, { name: 'free' })).toBeUndefined();
        });
        const late = await rejection(client.create(kind, forgeWidget('late', {})));
        expect(isForbidden(late)).toBe(true);
        expect(String(late)).toContain(
          'create not allowed while custom resource definition is terminating',
        );
        const patch = mergePatch({ metadata: { finalizers: null } });
        await client.patch(kind, { name: 'held' }, patch);
        await eventually(
          async () => {
            expect(await client.get(CustomResourceDefinition, { name })).toBeUndefined();
            expect(isNotFound(await rejection(client.list(kind)))).toBe(true);
          },
          { timeoutMs: 20_000 },
        );
      }, 30_000);
    });
  });
}
