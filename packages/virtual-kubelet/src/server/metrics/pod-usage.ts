import { labels } from '@liqo/api';
import {
  ApiError,
  type Client,
  keyOf,
  keyString,
  type Pod,
  parseQuantity,
  type Quantity,
  queryString,
  type Stored,
} from '@liqo/kube';
import type { ProviderAccess } from '../provider-access.ts';

/** What a container used around a moment, as the provider measured it. */
export interface ContainerUsage {
  readonly name: string;
  readonly nanoCores: number;
  readonly memoryBytes: number;
}

export interface PodUsage {
  readonly pod: Stored<Pod>;
  /** When it was measured; undefined when nobody did. */
  readonly atMs: number | undefined;
  readonly containers: readonly ContainerUsage[];
}

/** As the resource metrics API (`metrics.k8s.io/v1beta1`) has it. */
interface PodMetrics {
  readonly metadata: { readonly name: string };
  readonly timestamp?: string;
  readonly containers?: readonly {
    readonly name: string;
    readonly usage?: Readonly<Record<string, string>>;
  }[];
}

export interface UsageQuestion {
  readonly provider: ProviderAccess | undefined;
  readonly pods: readonly Stored<Pod>[];
  readonly nodeName: string;
  readonly signal: AbortSignal;
}

/**
 * What the pods of the node use. A pod that the provider says nothing about uses nothing: its kubelet has not measured it
 * yet, or the provider measures nothing at all.
 */
export async function readUsage(question: UsageQuestion): Promise<readonly PodUsage[]> {
  const { provider, pods } = question;
  const namespaces = [...new Set(pods.map(({ metadata }) => metadata.namespace ?? ''))];
  const measured = new Map<string, PodMetrics>();
  const readNamespace = async (namespace: string) => {
    const remote = provider?.remoteNamespace(namespace);
    if (!provider || remote === undefined) return;
    for (const metrics of await listMetrics(provider.client, remote, question)) {
      measured.set(keyString({ namespace, name: metrics.metadata.name }), metrics);
    }
  };
  await Promise.all(namespaces.map(readNamespace));
  return pods.map((pod) => usageOf(pod, measured.get(keyString(keyOf(pod)))));
}

async function listMetrics(
  client: Client,
  namespace: string,
  { nodeName, signal }: UsageQuestion,
): Promise<readonly PodMetrics[]> {
  const query = queryString({ labelSelector: `${labels.nodeName}=${nodeName}` });
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${encodeURIComponent(namespace)}/pods`;
  try {
    const list = await client.rawJson<{ items?: PodMetrics[] }>(`${path}${query}`, signal);
    return list.items ?? [];
  } catch (error) {
    if (isMissingApi(error)) return [];
    throw error;
  }
}

/** An API that a cluster does not have is forbidden before it is missed to whoever has no right to it. */
export function isMissingApi(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 404 || error.code === 403);
}

function usageOf(pod: Stored<Pod>, metrics: PodMetrics | undefined): PodUsage {
  const measured = new Map(metrics?.containers?.map(({ name, usage }) => [name, usage]));
  const containers = (pod.spec?.containers ?? []).map(({ name }) => ({
    name,
    nanoCores: amount(measured.get(name)?.cpu, 9),
    memoryBytes: amount(measured.get(name)?.memory, 0),
  }));
  return { pod, atMs: timeOf(metrics?.timestamp), containers };
}

function timeOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** In units of 10^-digits. What cannot be read, or is less than nothing, is nothing: the provider may send anything. */
function amount(text: string | undefined, digits: number): number {
  try {
    return Math.max(0, scaled(parseQuantity(text ?? '0'), digits));
  } catch {
    return 0;
  }
}

function scaled({ mantissa, scale }: Quantity, digits: number): number {
  const power = scale + digits;
  const value = Number(mantissa);
  return Math.round(power < 0 ? value / 10 ** -power : value * 10 ** power);
}
