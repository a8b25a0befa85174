import type { Client, ConfigMap, KubeObject } from '@liqo/kube';
import { ConfigMap as ConfigMapKind, isJsonObject } from '@liqo/kube';
import { checkValues, type GivenValues } from '@liqo/manifests';
import { type Provider, providers } from './detect-provider.ts';

/** What an installation was told: an upgrade keeps it. */
export interface InstallationRecord {
  readonly values: GivenValues;
  readonly provider: Provider | undefined;
}

const name = 'liqo-installation';
const nothing: InstallationRecord = { values: {}, provider: undefined };

/** The object that keeps it, beside those of the chart. */
export function forgeInstallationRecord(
  namespace: string,
  { values, provider }: InstallationRecord = nothing,
): KubeObject {
  const data = {
    'values.json': `${JSON.stringify(values, null, 2)}\n`,
    ...(provider && { provider }),
  };
  const record: ConfigMap = { metadata: { name, namespace }, data };
  return { apiVersion: 'v1', kind: 'ConfigMap', ...record };
}

/** What the last installation was told. Values that this version does not have are dropped. */
export async function readInstallationRecord(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<InstallationRecord> {
  const { data } = (await client.get(ConfigMapKind, { name, namespace }, signal)) ?? {};
  const provider = providers.find((known) => known === data?.provider);
  return { values: readValues(data?.['values.json']), provider };
}

function readValues(text = '{}'): GivenValues {
  try {
    const values: unknown = JSON.parse(text);
    if (!isJsonObject(values)) return {};
    const known = Object.entries(values).filter(
      ([key, value]) => checkValues({ [key]: value }).length === 0,
    );
    return Object.fromEntries(known) as GivenValues;
  } catch {
    return {};
  }
}
