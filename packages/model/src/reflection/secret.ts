import { annotations } from '@liqo/api';
import { Secret, type Stored } from '@liqo/kube';
import { covers } from './compare-reflected.ts';
import { isFrozen } from './is-frozen.ts';
import { planReflection, type ReflectionRefusal } from './plan-reflection.ts';

const tokenType = 'kubernetes.io/service-account-token';

/** Tokens of ServiceAccounts stay: pods at the provider get tokens of their own, which expire and end with the pod. */
export const planSecret = planReflection<Secret>({
  kind: Secret,
  exact: ['data'],
  refuse: refuseToken,
  isOfAnotherPart: isTokenOfPod,
  mustReplace: (wanted, remote) =>
    !covers(remote.type ?? 'Opaque', wanted.type) || isFrozen(wanted, remote),
  forge: ({ data, immutable, type = 'Opaque' }) => ({
    ...(data && { data }),
    ...(immutable !== undefined && { immutable }),
    type,
  }),
});

/** The content of what is not reflected need not be kept. */
export function withoutTokenData(secret: Stored<Secret>): Stored<Secret> {
  if (secret.type !== tokenType) return secret;
  const { data: _, ...rest } = secret;
  return rest as Stored<Secret>;
}

function refuseToken({ metadata, type }: Stored<Secret>): ReflectionRefusal | undefined {
  if (type !== tokenType) return undefined;
  const message =
    `Secret "${metadata.name}" of type "${tokenType}" is not reflected: mount a projected serviceAccountToken volume, ` +
    'for which pods at the provider get a token that expires';
  return { reason: 'ReflectionDisabled', message };
}

function isTokenOfPod({ metadata }: Stored<Secret>): boolean {
  return metadata.annotations?.[annotations.serviceAccountForPodUid] !== undefined;
}
