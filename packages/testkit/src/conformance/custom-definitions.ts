import {
  CustomResourceDefinition,
  isForbidden,
  isInvalid,
  isNotFound,
  mergePatch,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import {
  establish,
  forgeDefinition,
  forgeWidget,
  integer,
  rule,
  untilEstablished,
  versionOf,
} from './custom-widget.ts';
import type { GetSubject } from './subject.ts';
import type { WidgetWorkshop } from './widget-workshop.ts';

/** CustomResourceDefinitions from their creation to their end. */
export function customDefinitions(subject: GetSubject, workshop: WidgetWorkshop): void {
  describe('definitions', () => {
    test('get their names, are established, and remember the version that is stored', async () => {
      const { client } = subject();
      const { metadata } = await establish(subject(), workshop.forge(versionOf({})));
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
      ['a default of the wrong type', { a: { ...integer, default: 'x' } }, 'properties[a].default'],
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
      const definition = workshop.forge(versionOf(properties));
      const error = await rejection(subject().client.create(CustomResourceDefinition, definition));
      expect(isInvalid(error), String(error)).toBe(true);
      const field = `spec.validation.openAPIV3Schema.properties[spec].${place}`;
      expect(error).toMatchObject({ details: { causes: [{ field }] } });
    });

    test.each([['a word'], [[]]])('keep nothing of items that are %j', async (items) => {
      const definition = workshop.forge(versionOf({ a: { type: 'object', items } }));
      const crd = await subject().client.create(CustomResourceDefinition, definition);
      const schema = crd.spec.versions[0]?.schema?.openAPIV3Schema;
      expect(schema).toMatchObject({ properties: { spec: { properties: { a: {} } } } });
      expect(JSON.stringify(schema)).not.toContain('items');
    });

    test('keep what objects are stored under', async () => {
      const { client } = subject();
      const crd = await establish(subject(), workshop.forge(versionOf({})));
      const spec = { ...crd.spec, scope: 'Namespaced' };
      const error = await rejection(client.update(CustomResourceDefinition, { ...crd, spec }));
      expect(error).toMatchObject({ details: { causes: [{ field: 'spec.scope' }] } });
    });

    test('wait for a name that another one of the group has', async () => {
      const { client } = subject();
      const first = await establish(subject(), workshop.forge(versionOf({})));
      const { group } = first.spec;
      const rival = forgeDefinition(group, versionOf({}), { plural: 'gadgets', kind: 'Widget' });
      workshop.remember(rival);
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

  describe('deletion of a definition', () => {
    test('takes its objects along, and waits for those that are held', async () => {
      const { client } = subject();
      const kind = await workshop.withSpec({});
      const name = `widgets.${kind.group}`;
      await client.create(kind, forgeWidget('free', {}));
      const finalizers = ['example.org/hold'];
      await client.create(kind, { metadata: { name: 'held', finalizers }, spec: {} });
      await client.delete(CustomResourceDefinition, { name });
      await eventually(async () => {
        const crd = await client.get(CustomResourceDefinition, { name });
        expect(crd?.status?.conditions?.find(({ type }) => type === 'Terminating')).toMatchObject({
          status: 'True',
          reason: 'InstanceDeletionInProgress',
          message: 'CustomResource deletion is in progress',
        });
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
        { timeoutMs: 30_000 },
      );
    });
  });
}
