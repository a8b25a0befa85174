import type { KubeObject } from '@liqo/kube';
import type { ApiAnswer, ApiRequest } from '../../rest/api-request.ts';
import { invalid } from '../../rest/refusal.ts';
import type { Resource } from '../../rest/resource.ts';
import { handleResource } from '../../rest/resource-handler.ts';
import type { ServerParts } from '../../rest/server-parts.ts';
import { find } from '../../rest/target.ts';
import { approvedRequest, validateApproval } from './signing-request-strategy.ts';

/**
 * `…/certificatesigningrequests/<name>/approval`: another way to write the same objects. It reads, updates and patches
 * as other subresources do, under rules of its own. All ways to write an object complete it as soon as it is decoded:
 * that is where these rules come in.
 */
export function approvalSubresource(parts: ServerParts) {
  return async (request: ApiRequest, requests: Resource): Promise<ApiAnswer> => {
    const target = request.info.resource;
    const approval = requests.subresources.get('approval');
    if (!target || !approval) throw new Error('Cannot approve: the resource has no approval');
    const { handle: _, ...names } = approval;
    const complete = (next: KubeObject): KubeObject => {
      const current = find(parts, requests, target);
      const approved = approvedRequest(next, current, parts.clock);
      const problems = validateApproval(approved, current);
      if (problems.length > 0) throw invalid(requests, current.metadata.name, problems);
      return approved;
    };
    const resource = {
      ...requests,
      strategy: { ...requests.strategy, withDefaults: complete },
      subresources: new Map([['approval', names]]),
    };
    return handleResource(parts, resource, request, target);
  };
}
