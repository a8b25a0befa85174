import { isJsonObject, type Json } from '@liqo/kube';

type Value = Json | undefined;

/** What the rules decide by in the world of the random reviews. */
const consumerOfNamespace: Readonly<Record<string, string>> = {
  'shop-rome': 'rome',
  'shop-paris': 'paris',
  'liqo-tenant-rome': 'rome',
  'liqo-tenant-paris': 'paris',
};
const ownClusterID = 'milan';
const mostCpu = 4;

const at = (value: unknown, ...path: readonly string[]): Value =>
  path.reduce<unknown>((one, key) => (isJsonObject(one) ? one[key] : undefined), value) as Value;
const labelOf = (object: unknown, key: string) => at(object, 'metadata', 'labels', key);
const peer = 'liqo.io/remote-cluster-id';
const origin = 'offloading.liqo.io/origin';

/**
 * Why a request may not be allowed, said a second time and in another way than the rules say it; undefined where either answer
 * is right. It knows one consumer with a Quota, another without, and a Node called `worker`.
 */
export function mustBeRefused(path: string, request: unknown): string | undefined {
  const operation = at(request, 'operation');
  const object = at(request, 'object');
  const isWrite = operation === 'CREATE' || operation === 'UPDATE';
  const subResource = at(request, 'subResource') ?? '';
  if (!isWrite || subResource !== '' || !isJsonObject(object)) return undefined;
  const before = at(request, 'oldObject');
  const facts = { request, object, before, namespace: String(at(request, 'namespace') ?? '') };
  return operation === 'CREATE' ? onCreate(path, facts) : onUpdate(path, facts);
}

interface ReviewFacts {
  readonly request: unknown;
  readonly object: Json;
  readonly before: Value;
  readonly namespace: string;
}

function onCreate(path: string, { object, namespace }: ReviewFacts): string | undefined {
  const [name, own] = [at(object, 'metadata', 'name'), at(object, 'metadata', 'namespace')];
  const clusterID = at(object, 'spec', 'clusterID');
  const isElsewhere =
    own !== `liqo-tenant-${clusterID}` || !Object.hasOwn(consumerOfNamespace, String(own));
  switch (path) {
    case '/validate/shadowpods':
      if (labelOf(object, origin) !== consumerOfNamespace[namespace]) return 'another consumer';
      if (consumerOfNamespace[namespace] === undefined) return 'no consumer';
      // The other consumer has no Tenant: it was let in by hand, and nothing limits it.
      if (consumerOfNamespace[namespace] !== 'rome') return undefined;
      if (labelOf(object, 'liqo.io/creator-user') !== 'mypool') return 'a user without a Quota';
      return cpuOf(object) > mostCpu ? 'more than the Quota' : undefined;
    case '/validate/tenants':
      if (isElsewhere) return 'not in its tenant namespace';
      return labelOf(object, peer) === clusterID ? undefined : 'the label of another';
    case '/validate/foreign-cluster':
      if (typeof clusterID !== 'string' || clusterID === ownClusterID) return 'no peer';
      return name === clusterID ? undefined : 'another name';
    case '/validate/virtualnodes':
      if (typeof clusterID === 'string' && clusterID !== '' && isElsewhere) return 'elsewhere';
      if (name === 'worker') return 'the name of a real Node';
      return isNegative(at(object, 'spec', 'resourceQuota', 'hard', 'cpu'))
        ? 'negative'
        : undefined;
    case '/validate/namespace-offloading':
      return name === 'offloading' ? undefined : 'another name';
    case '/validate/resourceslices':
      return wrongSlice(object, own);
    default:
      return undefined;
  }
}

function wrongSlice(object: Json, namespace: Value): string | undefined {
  if (isNegative(at(object, 'spec', 'resources', 'cpu'))) return 'negative';
  const isTenant = typeof namespace === 'string' && namespace.startsWith('liqo-tenant-');
  const known = isTenant ? consumerOfNamespace[namespace] : undefined;
  const label = labelOf(object, peer);
  if (known !== undefined && typeof label === 'string' && label !== known) return 'another peer';
  const isCopy = labelOf(object, 'liqo.io/replicated') === 'true';
  if (isCopy || labelOf(object, 'liqo.io/replication') === 'false') return undefined;
  if (known === undefined) return 'no tenant namespace';
  const provider = at(object, 'spec', 'providerClusterID');
  if (typeof provider === 'string' && provider !== known) return 'another provider';
  const consumer = at(object, 'spec', 'consumerClusterID');
  return typeof consumer === 'string' && consumer !== ownClusterID ? 'another consumer' : undefined;
}

function onUpdate(path: string, { request, object, before }: ReviewFacts): string | undefined {
  if (path === '/validate/shadowpods') {
    return labelOf(object, origin) === labelOf(before, origin) ? undefined : 'moved';
  }
  const groups = at(request, 'userInfo', 'groups');
  if (path !== '/validate/resourceslices' || !Array.isArray(groups)) return undefined;
  const cordonOf = (one: unknown) => at(one, 'metadata', 'annotations', 'liqo.io/cordon');
  const isCordoned = typeof cordonOf(object) === 'string' && cordonOf(object) !== cordonOf(before);
  return groups.includes('liqo.io') && isCordoned ? 'cordoned by its consumer' : undefined;
}

function isNegative(amount: Value): boolean {
  return typeof amount === 'string' && /^-[1-9]/.test(amount);
}

const cores: Readonly<Record<string, number>> = { '1': 1, '4': 4, '500m': 0.5, '5': 5, '0': 0 };

/** Of pods with nothing but containers, in the amounts that the reviews have; of all others nothing is known. */
function cpuOf(object: Json): number {
  const containers = at(object, 'spec', 'pod', 'containers');
  if (!Array.isArray(containers)) return 0;
  const each = containers.map((one) => cores[String(at(one, 'resources', 'requests', 'cpu'))] ?? 0);
  return each.reduce((sum, one) => sum + one, 0);
}
