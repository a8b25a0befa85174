import {
  isAlreadyExists,
  isNotFound,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from '@liqo/kube';
import { type ClaimVolumeStep, forgeClaimVolume, planClaim, planClaimVolume } from '@liqo/model';
import { done, type Outcome, type ReconcileContext, requeueAfter } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import { ClaimRelations } from './claim-relations.ts';
import { type ObjectReflector, type ReflectorOptions, startReflector } from './reflector.ts';

type Options = Pick<ReflectorOptions<never>, 'context' | 'policy' | 'report' | 'workers'>;

/** Claims whose storage is at the provider, and the volumes that stand for it at the consumer. */
export function startClaimReflector(options: Options): ObjectReflector {
  const relations = new ClaimRelations(options.context);
  return startReflector<PersistentVolumeClaim>({
    ...options,
    kind: PersistentVolumeClaim,
    plan: planClaim(relations),
    watchRelated: (namespace, { lookAt, enqueue }) =>
      relations.watch(namespace, { onVolume: enqueue, onNodes: () => lookAt(() => true) }),
    finish: ({ key, local, remote, route }, run) => {
      const { nodeOf, volumeOf } = relations;
      const volumes = relations.volumesFor(key);
      const step = planClaimVolume({ nodeOf, volumeOf, volumes, local, remote }, route);
      return takeStep(step, { context: options.context, relations }, run);
    },
  });
}

interface Parts {
  readonly context: KubeletContext;
  readonly relations: ClaimRelations;
}

async function takeStep(
  step: ClaimVolumeStep,
  { context, relations }: Parts,
  run: ReconcileContext,
): Promise<Outcome> {
  const { local: client } = context;
  const { signal } = run;
  if (step.type === 'create') {
    const name = step.claim.spec?.storageClassName ?? '';
    const storageClass = await client.get(StorageClass, { name }, signal);
    const volume = forgeClaimVolume(step.claim, context, storageClass?.reclaimPolicy);
    try {
      const created = await client.create(PersistentVolume, volume, signal);
      if (relations.volumes) run.wrote(relations.volumes, created);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return requeueAfter(1_000, 'waiting for the cache to show the volume');
    }
  }
  if (step.type === 'delete') {
    const { name, uid } = step.volume.metadata;
    try {
      await client.delete(PersistentVolume, { name }, { preconditions: { uid }, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return done;
}
