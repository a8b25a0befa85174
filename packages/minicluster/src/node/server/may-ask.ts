import { type Client, SubjectAccessReview } from '@liqo/kube';
import type { PeerUser } from './peer-user.ts';

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

export interface NodeQuestion {
  readonly verb: string;
  /** Any one of them that may be asked is enough. */
  readonly subresources: readonly string[];
}

/** What a request to a kubelet is to the authorizer: a verb on a subresource of its node (KEP-2862 for the fine ones). */
export function nodeQuestion(method: string, path: string): NodeQuestion {
  const isBelow = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  const fine = ['pods', 'healthz', 'configz'].filter((name) => isBelow(`/${name}`));
  const running = isBelow('/runningpods') ? ['pods'] : [];
  const coarse = ['stats', 'metrics'].find((name) => isBelow(`/${name}`));
  const log = isBelow('/logs') ? 'log' : undefined;
  return {
    verb: verbs[method] ?? '',
    subresources: [...fine, ...running, coarse ?? log ?? 'proxy'],
  };
}

/** The API server decides. */
export async function mayAsk(
  client: Client,
  user: PeerUser,
  nodeName: string,
  { verb, subresources }: NodeQuestion,
): Promise<boolean> {
  for (const subresource of subresources) {
    const resourceAttributes = {
      verb,
      resource: 'nodes',
      version: 'v1',
      subresource,
      name: nodeName,
    };
    const { name, uid, groups, extra } = user;
    const { status } = await client.create(SubjectAccessReview, {
      spec: {
        user: name,
        groups: [...groups],
        ...(uid && { uid }),
        ...(extra && { extra: { ...extra } }),
        resourceAttributes,
      },
    });
    if (status?.allowed) return true;
  }
  return false;
}
