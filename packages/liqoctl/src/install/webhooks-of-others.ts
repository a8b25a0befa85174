import {
  type Client,
  EndpointSlice,
  isForbidden,
  isNotFound,
  type Kind,
  MutatingWebhookConfiguration,
  Service,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
type Webhook = NonNullable<Configuration['webhooks']>[number];

interface Target {
  readonly webhook: string;
  readonly namespace: string;
  readonly name: string;
}

const written = new Set(['*', 'pods', 'deployments', 'services', 'configmaps', 'clusterroles']);

/** The webhooks whose Service has no ready endpoint: requests that the API server asks them about are refused. */
export async function findDeadWebhooks(
  client: Client,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lists = await Promise.all([
    listIfAllowed(client, MutatingWebhookConfiguration, signal),
    listIfAllowed(client, ValidatingWebhookConfiguration, signal),
  ]);
  const targets = lists.flat().flatMap(({ webhooks = [] }) => webhooks.flatMap(targetOf));
  const dead: string[] = [];
  for (const target of targets) {
    if (!(await answers(client, target, signal))) {
      dead.push(`"${target.webhook}" (Service "${target.name}" in "${target.namespace}")`);
    }
  }
  return dead;
}

/** Those that refuse what an installation writes. Webhooks of Liqo are written by it. */
function targetOf({ name, failurePolicy, clientConfig, rules = [] }: Webhook): readonly Target[] {
  const { service } = clientConfig;
  const concerns = rules.some(({ resources = [] }) => resources.some((one) => written.has(one)));
  if (!service || failurePolicy === 'Ignore' || !concerns || name.endsWith('.liqo.io')) return [];
  return [{ webhook: name, namespace: service.namespace, name: service.name }];
}

async function answers(
  client: Client,
  { namespace, name }: Target,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    if ((await client.get(Service, { namespace, name }, signal)) === undefined) return false;
    const labelSelector = `kubernetes.io/service-name=${name}`;
    const { items } = await client.list(EndpointSlice, { namespace, labelSelector, signal });
    return items.some(({ endpoints }) =>
      (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false),
    );
  } catch (error) {
    if (isNotFound(error)) return false;
    if (isForbidden(error)) return true;
    throw error;
  }
}

async function listIfAllowed<T extends Configuration>(
  client: Client,
  kind: Kind<T>,
  signal: AbortSignal,
) {
  try {
    return (await client.list(kind, { signal })).items;
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
