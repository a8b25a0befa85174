import type { Pod } from '@liqo/kube';
import type { Toleration } from 'kubernetes-types/core/v1.d.ts';
import type { Admission } from '../admission.ts';
import { isPodWrite, withSpec } from './pod-creation.ts';

const tolerationSeconds = 300;
const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** A node may be lost for five minutes before its pods are, unless a pod says otherwise. */
export function defaultTolerations(): Admission {
  return {
    name: 'DefaultTolerationSeconds',
    async mutate(attributes) {
      if (!isPodWrite(attributes) || !attributes.object) return attributes.object;
      const { tolerations = [] } = (attributes.object as Pod).spec ?? {};
      const missing = taints.filter((taint) => !tolerations.some((one) => tolerates(one, taint)));
      if (missing.length === 0) return attributes.object;
      return withSpec(attributes.object, { tolerations: [...tolerations, ...missing.map(forge)] });
    },
  };
}

function tolerates({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute');
}

function forge(key: string): Toleration {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds };
}
