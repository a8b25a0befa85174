import { fixedNames, labels } from '@liqo/api';
import type { Secret, Stored } from '@liqo/kube';

/** The request for a nonce, at the provider: the controllers of the provider fill it. */
export function forgeNonceSecret(consumerClusterID: string, tenantNamespace: string): Secret {
  return {
    metadata: {
      name: fixedNames.nonceSecret,
      namespace: tenantNamespace,
      labels: { [labels.nonce]: 'true', [labels.remoteClusterID]: consumerClusterID },
    },
    type: 'Opaque',
  };
}

/** Labels make a Secret that of the nonce, as in Liqo; of several Secrets the oldest counts. */
export function findNonceSecret(
  consumerClusterID: string,
  secrets: readonly Stored<Secret>[],
): Stored<Secret> | undefined {
  const [oldest] = secrets
    .filter((secret) => isNonceOf(secret, consumerClusterID))
    .sort((one, other) => (age(one) < age(other) ? -1 : 1));
  return oldest;
}

function isNonceOf({ metadata }: Stored<Secret>, consumerClusterID: string): boolean {
  const marks = metadata.labels ?? {};
  const isGoing = metadata.deletionTimestamp !== undefined;
  return !isGoing && labels.nonce in marks && marks[labels.remoteClusterID] === consumerClusterID;
}

function age({ metadata }: Stored<Secret>): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
