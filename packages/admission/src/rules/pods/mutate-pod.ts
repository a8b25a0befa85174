import { fixedNames, labels, NamespaceOffloading } from '@liqo/api';
import { type Client, Namespace } from '@liqo/kube';
import type { CachedReader } from '@liqo/runtime';
import { changed, invalid, malformed, unchanged, type Verdict } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';
import { isWellFormedPod } from './is-well-formed.ts';
import { defaultPlacement, type Placement, placePod, TooManyTermsError } from './place-pod.ts';

export interface PodRuleParts {
  readonly client: Client;
  readonly offloadings: CachedReader<NamespaceOffloading>;
}

/** Pods of offloaded namespaces tolerate virtual nodes, and go where the NamespaceOffloading says. */
export function podRule(parts: PodRuleParts): Rule {
  return {
    path: '/mutate/pod',
    async review({ operation, subResource, namespace, object }, signal) {
      if (operation !== 'CREATE' || subResource !== '' || !object) return unchanged;
      if (namespace === '') return malformed('the pod has no namespace');
      if (!isWellFormedPod(object)) return malformed('the object is not a pod');
      const placement = await readPlacement(parts, namespace, signal);
      return placement ? placed(object, placement) : unchanged;
    },
  };
}

function placed(pod: Parameters<typeof placePod>[0], placement: Placement): Verdict {
  try {
    const result = placePod(pod, placement);
    return result === pod ? unchanged : changed(result);
  } catch (error) {
    if (!(error instanceof TooManyTermsError)) throw error;
    return invalid('spec.affinity.nodeAffinity', error.message);
  }
}

/**
 * Undefined when the namespace is not offloaded. What the cache does not show is read from the API server: the namespace
 * may have been offloaded a moment ago, and a pod with the wrong placement stays where it is.
 */
async function readPlacement(
  { client, offloadings }: PodRuleParts,
  namespace: string,
  signal: AbortSignal,
): Promise<Placement | undefined> {
  const key = { namespace, name: fixedNames.namespaceOffloading };
  const offloading = offloadings.get(key) ?? (await client.get(NamespaceOffloading, key, signal));
  if (offloading) {
    const isEnding = offloading.metadata.deletionTimestamp !== undefined;
    return isEnding ? undefined : (offloading.spec ?? defaultPlacement);
  }
  const { metadata } = (await client.get(Namespace, { name: namespace }, signal)) ?? {};
  return metadata?.labels?.[labels.enabled] === 'true' ? defaultPlacement : undefined;
}
