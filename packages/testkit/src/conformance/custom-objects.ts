import { isInvalid, type Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import {
  causesOf,
  change,
  type DefinitionSpec,
  establish,
  forgeWidget,
  integer,
  kindOf,
  open,
  tableOf,
  text,
  versionOf,
  versionWith,
  type Widget,
} from './custom-widget.ts';
import type { GetSubject } from './subject.ts';
import type { WidgetWorkshop } from './widget-workshop.ts';

/** What the server does for the objects of a definition. */
export function customObjects(subject: GetSubject, workshop: WidgetWorkshop): void {
  describe('objects', () => {
    test('are refused in the words of the schema', async () => {
      const kind = await workshop.withSpec({
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
      const kind = await workshop.withSpec({ known: text });
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
      const kind = await workshop.withSpec({ mode: { ...text, default: 'Fast' }, nested });
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
      const kind = await workshop.install({
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
      const kind = await workshop.install({
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
      const kind = await workshop.install({
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
      const kind = await workshop.withSpec(
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
      const definition = workshop.forge(versionOf({ a: text }));
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
      const kind = await workshop.withSpec({ a: text, mode: { ...text, default: 'Fast' } });
      await client.apply(kind, forgeWidget('one', { a: 'x' }));
      const applied = await client.apply(kind, forgeWidget('one', { a: 'y' }));
      expect(applied.spec).toEqual({ a: 'y', mode: 'Fast' });
    });

    test('need the version they were read in to be updated', async () => {
      const { client } = subject();
      const kind = await workshop.withSpec({ a: text });
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
}
