import { type Client, type Clock, ConfigMap, type Kind, Secret, Service } from '@liqo/kube';
import { until } from './until.ts';
import type { WantedApp } from './wish.ts';

interface SettingsWork {
  readonly app: WantedApp;
  /** The namespaces at the providers that the app's is extended to. */
  readonly copies: readonly { readonly client: Client; readonly namespace: string }[];
  readonly clock: Clock;
}

const kinds: readonly Kind[] = [Service, ConfigMap, Secret];

/** Creates a Service, a ConfigMap and a Secret of the name of an app, and waits until every provider has them. */
export async function deploySettings(
  client: Client,
  { app, copies, clock }: SettingsWork,
  signal?: AbortSignal,
): Promise<void> {
  const { name, namespace } = app;
  const metadata = { name, namespace };
  const ports = [{ name: 'http', port: 80, targetPort: 'http' }];
  await client.create(Service, { metadata, spec: { selector: { app: name }, ports } }, signal);
  await client.create(ConfigMap, { metadata, data: { GREETING: 'Hello' } }, signal);
  await client.create(Secret, { metadata, stringData: { PASSWORD: 'opensesame' } }, signal);
  const look = async () => {
    for (const { client: provider, namespace: remote } of copies) {
      for (const kind of kinds) {
        const copy = await provider.get(kind, { name, namespace: remote }, signal);
        if (!copy) return `namespace "${remote}" has no ${kind.kind} "${name}"`;
      }
    }
    return undefined;
  };
  await until(clock, look, signal);
}
