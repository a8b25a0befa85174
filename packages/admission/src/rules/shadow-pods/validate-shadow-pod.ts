import { labels, type ShadowPod } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import { type Candidate, judgeByQuotas, Ledger } from '@liqo/model';
import { valueAt } from '../../review/value-at.ts';
import { forbidden, invalid, unchanged, type Verdict } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';
import type { ConsumerFacts } from './consumer-facts.ts';
import { isMeasurable } from './is-measurable.ts';

export interface ShadowPodRuleParts {
  readonly consumers: ConsumerFacts;
  readonly enforceQuotas: boolean;
}

/**
 * A ShadowPod belongs to the consumer of its namespace. One that no Quota of that consumer can take is refused here, even if no
 * other pod were there. One that only has to wait, for room or for the end of a cordon, is accepted, and waits at the ShadowPod
 * controller, which creates its pod at once when the wait is over.
 */
export function shadowPodRule({ consumers, enforceQuotas }: ShadowPodRuleParts): Rule {
  return {
    path: '/validate/shadowpods',
    async review({ operation, subResource, namespace, object, oldObject }, signal) {
      if (subResource !== '' || !object) return unchanged;
      const origin = originOf(object);
      if (operation === 'UPDATE') return origin === originOf(oldObject) ? unchanged : moved;
      if (operation !== 'CREATE') return unchanged;
      const tenant = namespace === '' ? undefined : await consumers.of(namespace, signal);
      if (origin === undefined || origin !== tenant) return foreign(namespace, tenant);
      if (!enforceQuotas) return unchanged;
      if (!isMeasurable(valueAt(object, 'spec', 'pod'))) return noPod;
      return judge(consumers, forgeCandidate(object, tenant), signal);
    },
  };
}

const noPod = invalid('spec.pod', 'it is not the spec of a pod');
const moved = forbidden(`metadata.labels["${labels.origin}"]: it cannot be changed`);

function foreign(namespace: string, tenant: string | undefined): Verdict {
  const fact =
    tenant === undefined
      ? `the namespace "${namespace}" belongs to no consumer`
      : `the namespace "${namespace}" belongs to the consumer "${tenant}"`;
  return forbidden(`metadata.labels["${labels.origin}"]: ${fact}`);
}

/** What the caches refuse is judged again by what the API server has: they may be behind. */
async function judge(
  consumers: ConsumerFacts,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<Verdict> {
  const { tenant } = candidate;
  const refusalBy = (facts: ReturnType<ConsumerFacts['cached']>) => {
    const verdict = judgeByQuotas(candidate, { ...facts, ledger: new Ledger() });
    return verdict.allowed || verdict.reason === 'QuotaCordoned' ? undefined : verdict.message;
  };
  if (refusalBy(consumers.cached(tenant)) === undefined) return unchanged;
  const refusal = refusalBy(await consumers.live(tenant, signal));
  return refusal === undefined ? unchanged : forbidden(refusal);
}

function forgeCandidate(object: KubeObject, tenant: string): Candidate {
  const { metadata = {}, spec } = object as ShadowPod;
  return {
    key: `${metadata.namespace}/${metadata.name}`,
    tenant,
    creator: metadata.labels?.[labels.creatorUser],
    pod: { ...(spec?.pod && { spec: spec.pod }) } as Candidate['pod'],
    isNew: true,
  };
}

function originOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata?.labels?.[labels.origin];
}
