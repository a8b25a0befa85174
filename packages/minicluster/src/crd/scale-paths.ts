import { isJsonObject } from '@liqo/kube';
import type { CustomResourceSubresourceScale } from 'kubernetes-types/apiextensions/v1.d.ts';
import type { ScalePaths } from '../rest/resource.ts';
import type { Item } from '../store/collection.ts';

/** Where a custom resource keeps its numbers: `['spec', 'replicas']`. */
export interface ScaleFields {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly selector: readonly string[] | undefined;
}

export function readScaleFields(scale: CustomResourceSubresourceScale): ScaleFields {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return {
    specReplicas: steps(specReplicasPath),
    statusReplicas: steps(statusReplicasPath),
    selector: labelSelectorPath ? steps(labelSelectorPath) : undefined,
  };
}

export function scalePaths({ specReplicas, statusReplicas, selector }: ScaleFields): ScalePaths {
  return {
    replicasPath: specReplicas,
    specReplicas: (object) => numberAt(object, specReplicas),
    statusReplicas: (object) => numberAt(object, statusReplicas),
    selector: (object) => {
      const found = selector && valueAt(object, selector);
      return typeof found === 'string' ? found : '';
    },
    withReplicas: (object, replicas) => withValueAt(object, specReplicas, replicas) as Item,
  };
}

/** The value that a chain of members leads to, if it does. */
export function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined;
  return valueAt(value[step], rest);
}

function withValueAt(value: unknown, [step, ...rest]: readonly string[], leaf: unknown): unknown {
  if (step === undefined) return leaf;
  const members = isJsonObject(value) ? value : {};
  return { ...members, [step]: withValueAt(members[step], rest, leaf) };
}

function numberAt(object: Item, path: readonly string[]): number {
  const found = valueAt(object, path);
  return typeof found === 'number' ? found : 0;
}

function steps(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}
