import type { KubeObject } from '@liqo/kube';
import type { AdmissionRequest } from '../review/admission-request.ts';

/** A request to create an object, as a rule gets it. */
export function forgeRequest(
  object: KubeObject,
  more: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  return {
    uid: 'e5c4d3b2',
    operation: 'CREATE',
    resource: { group: '', version: 'v1', resource: 'pods' },
    subResource: '',
    name: object.metadata?.name ?? '',
    namespace: object.metadata?.namespace ?? '',
    userInfo: { username: 'alice', groups: ['system:authenticated'] },
    object,
    oldObject: undefined,
    dryRun: false,
    ...more,
  };
}

/** The same as the body of a call. */
export function forgeBody(request: Partial<AdmissionRequest> & { readonly uid: string }): string {
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { ...request, object: request.object ?? null, oldObject: request.oldObject ?? null },
  });
}
