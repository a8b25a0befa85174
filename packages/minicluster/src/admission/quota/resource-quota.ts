import { type Clock, type KubeObject, ResourceQuota } from '@liqo/kube';
import type { Store } from '../../store/store.ts';
import type { Admission, AdmissionAttributes } from '../admission.ts';
import { readAll } from '../read-store.ts';
import { forbid } from '../request-scope.ts';
import { type Charge, chargeQuotas } from './charge-quotas.ts';
import { evaluatorFor } from './evaluator-for.ts';

/**
 * Refuses what does not fit into the quotas of its namespace, and charges them for what does. Quotas are read, judged
 * and written in one turn, so however many creations are under way, none of them slips through between. Nothing is
 * given back when the object is not stored in the end: the quota controller counts anew from time to time.
 */
export function resourceQuota(store: Store, clock: Clock): Admission {
  return {
    name: 'ResourceQuota',
    async validate(attributes) {
      const { namespace, object, previous, resource } = attributes;
      const evaluator = evaluatorFor(resource);
      if (!namespace || !object || !evaluator?.handles(attributes)) return;
      const request = { evaluator, object, previous, nowMs: clock.now() };
      const verdict = chargeQuotas(readAll(store, ResourceQuota, namespace), request);
      if ('refusal' in verdict) throw forbid(attributes, verdict.refusal);
      book(store, attributes, verdict.charges);
    },
  };
}

function book(store: Store, { dryRun }: AdmissionAttributes, charges: readonly Charge[]): void {
  if (dryRun) return;
  const quotas = store.collection('resourcequotas');
  for (const { quota, used } of charges) {
    const { namespace, name } = quota.metadata;
    const charged = { ...quota, status: { ...quota.status, used } } as KubeObject;
    quotas.put(`${namespace}/${name}`, quota, charged);
  }
}
