import { fixedNames, NamespaceOffloading } from '@liqo/api';
import { type Client, findCondition } from '@liqo/kube';
import type { Invocation } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { UserError } from '../user-error.ts';
import { presentReasons } from './providers-with-namespace.ts';
import type { Look } from './wait-until.ts';

/** Whether the providers have the namespace by now. Gives how many were selected. */
export async function lookAtOffloading(
  { signal, suggest }: Pick<Invocation<FlagTable>, 'signal' | 'suggest'>,
  client: Client,
  namespace: string,
): Promise<Look<number>> {
  const key = { namespace, name: fixedNames.namespaceOffloading };
  const offloading = await client.get(NamespaceOffloading, key, signal);
  if (!offloading) {
    const message = `Cannot wait for the namespace "${namespace}": somebody ended its offloading`;
    throw new UserError(message, { hint: 'Offload it again if it is still wanted' });
  }
  const end = suggest(`unoffload namespace ${namespace}`);
  return judgeOffloading(namespace, offloading, end);
}

export function judgeOffloading(
  namespace: string,
  { metadata, status }: NamespaceOffloading,
  endCommand: string,
): Look<number> {
  const isSeen = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
  if (!status || !isSeen) return { notYet: 'the controllers of Liqo have not looked at it yet' };
  const problems = problemsOf(status);
  switch (status.offloadingPhase) {
    case 'Ready':
      return { done: Object.keys(status.remoteNamespacesConditions ?? {}).length };
    case 'NoClusterSelected':
      return { done: 0 };
    case 'SomeFailed':
    case 'AllFailed':
      throw new UserError(
        `Cannot offload the namespace "${namespace}": ${wordsOf(problems.filter(isFinal))}`,
        {
          hint: `Remove the cause, and it goes on by itself; or end it with ${endCommand}`,
        },
      );
    default:
      return { notYet: wordsOf(problems) || 'the providers have not completed it yet' };
  }
}

/** Why a provider does not have the namespace. */
interface Problem {
  readonly clusterID: string;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

function problemsOf({
  remoteNamespacesConditions = {},
}: NonNullable<NamespaceOffloading['status']>): readonly Problem[] {
  return Object.entries(remoteNamespacesConditions).flatMap(([clusterID, conditions]) => {
    const ready = findCondition(conditions, 'Ready');
    if (!ready || ready.status === 'True') return [];
    return [{ clusterID, reason: ready.reason, message: ready.message }];
  });
}

/** A provider that is creating or deleting the namespace has not failed. */
function isFinal({ reason }: Problem): boolean {
  return !presentReasons.includes(reason);
}

function wordsOf(problems: readonly Problem[]): string {
  return problems
    .map(
      ({ clusterID, reason, message }) => `${clusterID}: ${message ?? reason ?? 'no reason given'}`,
    )
    .join('; ');
}
