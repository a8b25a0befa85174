import { isInvalid } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { causesOf, change, forgeWidget, integer, rule, text } from './custom-widget.ts';
import type { GetSubject } from './subject.ts';
import type { WidgetWorkshop } from './widget-workshop.ts';

/** What the rules of a schema allow and refuse. */
export function customRules(subject: GetSubject, workshop: WidgetWorkshop): void {
  describe('rules', () => {
    test('refuse what breaks them, at their field and in their words', async () => {
      const kind = await workshop.withSpec({
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
      const kind = await workshop.withSpec({
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
      const kind = await workshop.withSpec({ a: text, b: text });
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
}
