import { isJsonObject, type Pod, type Stored } from '@liqo/kube';
import { readMetadata } from './read-metadata.ts';
import { readPodStatus } from './read-pod-status.ts';
import { line, list, object, oneOf } from './readers.ts';

const readSpec = object({
  restartPolicy: oneOf(['Always', 'OnFailure', 'Never']),
  ephemeralContainers: list(object({ name: line(63) }), 128),
});

/**
 * A pod of the provider as far as reflection needs it: its state, because what it was made from is in its ShadowPod, and the
 * names of its ephemeral containers, because a re-created pod has none. Undefined if it is no pod at all. Never throws.
 */
export function readRemotePod(pod: Stored<Pod>): Stored<Pod> | undefined {
  const metadata = readMetadata(pod.metadata);
  if (!metadata) return undefined;
  const { apiVersion, kind } = pod;
  const status = readPodStatus(pod.status);
  const spec = isJsonObject(pod.spec) ? (readSpec(pod.spec) as object) : {};
  return {
    apiVersion,
    kind,
    metadata,
    spec: { containers: [], ...spec },
    ...(status && { status }),
  };
}
