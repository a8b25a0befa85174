import { labels, labelValues, VirtualNode } from '@liqo/api';
import {
  type CertificateSigningRequest,
  type Client,
  type Clock,
  findCondition,
  formatLabelSelector,
  formatTime,
  IpRangeSet,
  labelQueryFromLabels,
  Namespace,
  Node,
  type ObjectKey,
  oneLine,
  Pod,
  readServiceRanges,
  type Stored,
} from '@liqo/kube';
import {
  addressesOfNode,
  judgeServingRequest,
  parseServiceAccountUser,
  type ServedVirtualNode,
  type ServingVerdict,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type Logger,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
} from '@liqo/runtime';

export const kubeletServingSigner = 'kubernetes.io/kubelet-serving';

/** How long the address of a virtual kubelet may take to be known here. */
const patienceMs = 60_000;
const lookAgainMs = 2_000;

interface ServingRequestWorld {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly requests: CachedReader<CertificateSigningRequest>;
}

type Request = Stored<CertificateSigningRequest>;
type Condition = NonNullable<NonNullable<Request['status']>['conditions']>[number];
type FinalVerdict = Exclude<ServingVerdict, { readonly type: 'wait' }>;

/**
 * Requests are rare and a wrong yes cannot be taken back: everything but the request itself is read from the server, as it
 * is at this moment.
 */
export class ServingRequestReconciler {
  readonly #world: ServingRequestWorld;

  constructor(world: ServingRequestWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const request = this.#world.requests.get(key);
    if (!request || !isPending(request)) return done;
    const node = await this.#findNode(request, signal);
    if (!node) return done;
    const verdict = this.#withPatience(request, await judge(request, node));
    if (verdict.type === 'wait') return requeueAfter(lookAgainMs, verdict.message);
    await this.#answer(request, verdict, signal);
    return done;
  }

  /** The virtual node that the requester is the virtual kubelet of. */
  async #findNode({ spec }: Request, signal: AbortSignal): Promise<ServedVirtualNode | undefined> {
    const { client } = this.#world;
    const account = parseServiceAccountUser(spec.username);
    if (!account) return undefined;
    const namespace = await client.get(Namespace, { name: account.namespace }, signal);
    if (namespace?.metadata.labels?.[labels.tenantNamespace] === undefined) return undefined;
    const virtualNode = await client.get(VirtualNode, account, signal);
    if (!virtualNode) return undefined;
    const pods = await this.#virtualKubelets(account, signal);
    return {
      name: account.name,
      podIPs: pods.flatMap(addressesOf),
      hostIPs: pods.filter(isOnHostNetwork).flatMap(({ status }) => status?.hostIP ?? []),
      cluster: await this.#clusterAddresses(signal),
    };
  }

  async #clusterAddresses(signal: AbortSignal): Promise<ServedVirtualNode['cluster']> {
    const { client } = this.#world;
    const labelSelector = `${labels.type}!=${labelValues.virtualNode}`;
    const { items } = await client.list(Node, { labelSelector, signal });
    return {
      services: new IpRangeSet(await readServiceRanges(client, signal)),
      nodes: new IpRangeSet(items.flatMap(addressesOfNode)),
    };
  }

  async #virtualKubelets(
    account: { readonly namespace: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<readonly Stored<Pod>[]> {
    const selector = labelQueryFromLabels({ [labels.virtualNode]: account.name });
    const labelSelector = formatLabelSelector(selector);
    const { namespace } = account;
    const { items } = await this.#world.client.list(Pod, { namespace, labelSelector, signal });
    return items.filter((pod) => isVirtualKubelet(pod, account.name));
  }

  async #answer(request: Request, verdict: FinalVerdict, signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#world;
    const conditions = [...(request.status?.conditions ?? []), conditionOf(verdict, clock)];
    await client.updateApproval({ ...request, status: { ...request.status, conditions } }, signal);
    const fields = { object: request.metadata.name, user: request.spec.username };
    if (verdict.type === 'approve') log.info('Approved a serving certificate', fields);
    else log.warn('Denied a serving certificate', { ...fields, reason: verdict.message });
  }

  /** What has not come true within the time is not true. */
  #withPatience({ metadata }: Request, verdict: ServingVerdict): ServingVerdict {
    const ageMs = this.#world.clock.now() - Date.parse(metadata.creationTimestamp);
    if (verdict.type !== 'wait' || ageMs < patienceMs) return verdict;
    return { type: 'deny', reason: 'UnknownAddress', message: verdict.message };
  }
}

function isPending({ spec, status }: Request): boolean {
  const isFinal = ['Approved', 'Denied', 'Failed'].some((type) =>
    findCondition(status?.conditions, type),
  );
  return spec.signerName === kubeletServingSigner && !isFinal && !status?.certificate;
}

async function judge({ spec }: Request, node: ServedVirtualNode): Promise<ServingVerdict> {
  // Loaded when it is needed: it takes its time.
  const { parseSigningRequest } = await import('./parse-signing-request.ts');
  const content = parseSigningRequest(spec.request);
  return judgeServingRequest({ usages: spec.usages ?? [], content }, node);
}

/** Labels alone could be anybody's: it also has to run with the account that asks. Addresses of ended pods go to others. */
function isVirtualKubelet({ spec, status }: Pod, account: string): boolean {
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return spec?.serviceAccountName === account && !hasEnded;
}

function isOnHostNetwork({ spec }: Pod): boolean {
  return spec?.hostNetwork === true;
}

function addressesOf({ status }: Pod): readonly string[] {
  const { podIP, podIPs = [] } = status ?? {};
  const all = [podIP, ...podIPs.map(({ ip }) => ip)];
  return all.filter((address) => address !== undefined && address !== '') as string[];
}

function conditionOf(verdict: FinalVerdict, clock: Clock): Condition {
  const now = formatTime(clock.now());
  const times = { status: 'True', lastUpdateTime: now, lastTransitionTime: now };
  if (verdict.type === 'deny') {
    const { reason, message } = verdict;
    return { type: 'Denied', reason, message: oneLine(`Cannot approve: ${message}`), ...times };
  }
  const message = 'The virtual kubelet asks for the serving certificate of its own node';
  return { type: 'Approved', reason: 'VirtualKubelet', message, ...times };
}
