import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import { create, resourcesByName, update } from '../testing/written-object.ts';
import recorded from './service-warnings.vectors.json' with { type: 'json' };

/** What a kube-apiserver 1.35.4 warned of when a Service was created, or when it was given a status. */
interface Vector {
  readonly object: KubeObject;
  readonly status?: object;
  readonly warnings: readonly string[];
}

const vectors = recorded.map((text): Vector => JSON.parse(text));

test.each(vectors.map((vector) => [titleOf(vector), vector] as const))(
  'a service %s is warned of in the words of the real server',
  (_, { object, status, warnings }) => {
    expect(warningsOf(object, status)).toEqual(warnings);
  },
);

function titleOf({ object, status }: Vector): string {
  const { metadata, spec } = object as KubeObject & { spec: object };
  return JSON.stringify(status ?? { ...metadata?.annotations, ...spec }).slice(0, 90);
}

function warningsOf(object: KubeObject, status: object | undefined): readonly string[] | undefined {
  const services = resourcesByName().get('services');
  if (!services) throw new Error('There is no resource "services"');
  const { item } = create(services, object);
  if (!status) return services.strategy.warnings?.(item, undefined);
  const { item: next } = update(services, item, { status }, 'status');
  return services.strategy.statusWarnings?.(next);
}
