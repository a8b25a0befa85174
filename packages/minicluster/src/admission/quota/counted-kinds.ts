import {
  ConfigMap,
  type Discovery,
  type Kind,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
} from '@liqo/kube';
import { evaluatorFor } from './evaluator-for.ts';
import { countName } from './object-count.ts';

const wellKnown: readonly Kind[] = [
  Pod,
  Service,
  PersistentVolumeClaim,
  ConfigMap,
  Secret,
  ReplicationController,
  ResourceQuota,
];

/** The kinds whose objects count for any of the names in `hard`. Asks for the others only when one is named. */
export async function countedKinds(
  names: readonly string[],
  discover: () => Promise<Discovery>,
): Promise<readonly Kind[]> {
  const known = wellKnown.filter((kind) => names.some((name) => measures(kind, name)));
  const others = names.filter(
    (name) => name.startsWith('count/') && !known.some((kind) => measures(kind, name)),
  );
  if (others.length === 0) return known;
  const served = await discover();
  const found = others.map((name) =>
    served.find((one) => one.namespaced && countName(one) === name),
  );
  return [...known, ...found.filter((one) => one !== undefined)];
}

function measures(kind: Kind, name: string): boolean {
  return evaluatorFor(kind)?.measures(name) ?? false;
}
