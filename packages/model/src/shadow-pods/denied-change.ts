import type { ShadowPod } from '@liqo/api';

/** A change of a running pod, each of which the provider’s API server can deny. */
export type PodChange = 'resize' | 'update' | EphemeralChange;

/** Ephemeral containers are added one by one: a denied one holds up no other. */
interface EphemeralChange {
  readonly ephemeralContainer: string;
}

/** The reason of a ShadowPod whose pod exists and could not be changed as asked for: the provider’s API server denied it. */
export const deniedChange = 'FailedUpdatePod';

/** The message for a ShadowPod about a denied change. */
export function denialMessage(change: PodChange, podName: string, answer: string): string {
  return `Cannot ${describeChange(change)} pod "${podName}": ${answer}`;
}

/** The message of a ShadowPod if that change of its pod was denied. */
export function denialOf(
  status: ShadowPod['status'] | undefined,
  change: PodChange,
): string | undefined {
  const { reason, message = '' } = status ?? {};
  const isMeant = message.includes(`Cannot ${describeChange(change)} pod `);
  return reason === deniedChange && isMeant ? message : undefined;
}

function describeChange(change: PodChange): string {
  return typeof change === 'string'
    ? change
    : `add ephemeral container "${change.ephemeralContainer}" to`;
}
