import type { PodSpec, Volume } from '../pods/pod-spec.ts';
import type { PolicyContext } from './policy-rule.ts';

export function volumeProblems(spec: PodSpec, { policy }: PolicyContext): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ name, ...types }) =>
    Object.keys(types)
      .filter((type) => !policy.volumeTypes.includes(type))
      .map((type) => `volume "${name}" is of type ${type}, which is not for consumers`),
  );
}

/** Kubernetes makes such a claim with rights of its own. */
export function claimProblems({ volumes }: PodSpec, context: PolicyContext): readonly string[] {
  return (volumes ?? []).flatMap((volume) =>
    claimFaults(volume, context).map((fault) => `the claim of volume "${volume.name}" ${fault}`),
  );
}

function claimFaults({ ephemeral }: Volume, { namespace }: PolicyContext): readonly string[] {
  const claim = ephemeral?.volumeClaimTemplate?.spec;
  if (!claim) return [];
  const { volumeName, selector, storageClassName, dataSourceRef } = claim;
  const source = dataSourceRef as { namespace?: string } | undefined;
  const isForeign = ![undefined, '', namespace].includes(source?.namespace);
  return [
    ...(volumeName || selector ? ['chooses a volume'] : []),
    ...(storageClassName === '' ? ['has no storage class'] : []),
    ...(isForeign ? ['takes data from another namespace'] : []),
  ];
}
