import { fixedNames, NamespaceOffloading } from '@liqo/api';
import { type Client, type Clock, Namespace, ServiceAccount } from '@liqo/kube';
import { until } from './until.ts';

interface OffloadWork {
  readonly namespace: string;
  readonly clock: Clock;
}

/** Creates the namespace, offloads it, and waits until it is there at the providers. */
export async function offloadNamespace(
  client: Client,
  { namespace, clock }: OffloadWork,
  signal?: AbortSignal,
): Promise<void> {
  await client.create(Namespace, { metadata: { name: namespace } }, signal);
  const key = { name: fixedNames.namespaceOffloading, namespace };
  const spec = {
    namespaceMappingStrategy: 'DefaultName',
    podOffloadingStrategy: 'Remote',
  } as const;
  await client.create(NamespaceOffloading, { metadata: key, spec }, signal);
  const look = async () => {
    const offloading = await client.get(NamespaceOffloading, key, signal);
    const phase = offloading?.status?.offloadingPhase ?? 'unknown';
    if (phase !== 'Ready')
      return `the NamespaceOffloading of "${namespace}" is in phase "${phase}"`;
    const account = await client.get(ServiceAccount, { namespace, name: 'default' }, signal);
    return account ? undefined : `"${namespace}" has no service account "default"`;
  };
  await until(clock, look, signal);
}
