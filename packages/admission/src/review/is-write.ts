import type { KubeObject } from '@liqo/kube';
import type { AdmissionRequest } from './admission-request.ts';

/** A request with the object that it stores. */
export type Write = AdmissionRequest & { readonly object: KubeObject };

/** Whether a request creates or changes an object itself: neither a subresource of it, nor a deletion. */
export function isWrite(request: AdmissionRequest): request is Write {
  const { operation, subResource, object } = request;
  return (
    (operation === 'CREATE' || operation === 'UPDATE') && subResource === '' && object !== undefined
  );
}
