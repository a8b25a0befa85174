import { rootCaConfigMapName } from '@liqo/api';
import { ConfigMap } from '@liqo/kube';
import { isFrozen } from './is-frozen.ts';
import { isSkipped, isSkippedExplicitly } from './is-skipped.ts';
import { planReflection } from './plan-reflection.ts';
import type { ReflectionNames } from './reflection-names.ts';

/** In every namespace of a cluster: what pods trust its API server by. */
const rootCa = 'kube-root-ca.crt';

/** The root CA has another name at the provider, which has one of its own in every namespace. */
export const configMapNames: ReflectionNames = {
  remoteName(local, { consumerClusterID }) {
    const renamed = rootCaConfigMapName(consumerClusterID);
    if (local === rootCa) return renamed;
    return local === renamed ? undefined : local;
  },
  localName(remote, { consumerClusterID }) {
    if (remote === rootCaConfigMapName(consumerClusterID)) return rootCa;
    return remote === rootCa ? undefined : remote;
  },
};

export const planConfigMap = planReflection<ConfigMap>({
  kind: ConfigMap,
  names: configMapNames,
  exact: ['data', 'binaryData'],
  isSkipped: (local, { policy }) =>
    local.metadata.name === rootCa ? isSkippedExplicitly(local) : isSkipped(local, policy),
  mustReplace: isFrozen,
  forge: ({ data, binaryData, immutable }) => ({
    ...(data && { data }),
    ...(binaryData && { binaryData }),
    ...(immutable !== undefined && { immutable }),
  }),
});
