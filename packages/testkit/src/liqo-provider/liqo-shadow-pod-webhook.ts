import { labels, type ShadowPod } from '@liqo/api';
import { type Client, deepEqual, type JsonPatchOperation, Namespace } from '@liqo/kube';
import type { ReviewAnswer, ReviewRequest } from '../conformance/webhook-server.ts';

type PodSpec = NonNullable<ShadowPod['spec']['pod']>;

/** What Liqo's webhooks with resource enforcement say to writes of ShadowPods, but for the arithmetic of quotas. */
export class LiqoShadowPodWebhook {
  /** Why creates are denied, as a quota would; undefined to accept them. */
  denyCreates: string | undefined;
  /** `<operation> <user>: <message>` of each denied request. */
  readonly denials: string[] = [];
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  mutate(request: ReviewRequest): ReviewAnswer {
    const user = userLabel(request);
    if (request.operation === 'DELETE') return {};
    const creator = request.oldObject?.metadata?.labels?.[labels.creatorUser];
    if (request.operation === 'UPDATE' && creator !== user) {
      return this.#deny(request, `user "${user}" did not create the ShadowPod`);
    }
    const path = `/metadata/labels/${labels.creatorUser.replace('/', '~1')}`;
    const add: JsonPatchOperation = { op: 'add', path, value: user };
    const hasLabels = request.object?.metadata?.labels !== undefined;
    return { patch: hasLabels ? [add] : [{ op: 'add', path: '/metadata/labels', value: {} }, add] };
  }

  async validate(request: ReviewRequest): Promise<ReviewAnswer> {
    switch (request.operation) {
      case 'CREATE':
        return this.#validateCreate(request);
      case 'UPDATE':
        return this.#validateUpdate(request);
      default:
        return {};
    }
  }

  async #validateCreate(request: ReviewRequest): Promise<ReviewAnswer> {
    const { metadata } = request.object ?? {};
    const origin = metadata?.labels?.[labels.origin];
    if (origin === undefined) return this.#deny(request, 'the origin label is missing');
    const namespace = await this.#client.get(Namespace, { name: metadata?.namespace ?? '' });
    const consumer = namespace?.metadata.labels?.[labels.remoteClusterID];
    if (consumer !== origin) return this.#deny(request, 'the namespace is of another cluster');
    return this.denyCreates === undefined ? {} : this.#deny(request, this.denyCreates);
  }

  #validateUpdate(request: ReviewRequest): ReviewAnswer {
    const before = request.oldObject as ShadowPod | null;
    const after = request.object as ShadowPod | null;
    const isSameOrigin =
      before?.metadata?.labels?.[labels.origin] === after?.metadata?.labels?.[labels.origin];
    if (!isSameOrigin) return this.#deny(request, 'the origin label has changed');
    const isSame = deepEqual(frozen(before?.spec.pod), frozen(after?.spec.pod));
    return isSame
      ? {}
      : this.#deny(request, 'spec fields other than the mutable ones have changed');
  }

  #deny(request: ReviewRequest, message: string): ReviewAnswer {
    this.denials.push(`${request.operation} ${request.userInfo.username}: ${message}`);
    return { allowed: false, status: { code: 403, reason: 'Forbidden', message } };
  }
}

/** The spec without what may change. */
function frozen(spec: PodSpec = { containers: [] }): object {
  const { activeDeadlineSeconds, tolerations, containers, initContainers = [], ...others } = spec;
  const withoutImage = ({ image, ...container }: PodSpec['containers'][number]) => container;
  return {
    ...others,
    containers: containers.map(withoutImage),
    initContainers: initContainers.map(withoutImage),
  };
}

function userLabel({ userInfo }: ReviewRequest): string {
  return userInfo.username.replaceAll(/[^a-zA-Z0-9]+/g, '-').slice(0, 63);
}
