import { fixedNames } from '@liqo/api';
import type { Values } from '../values.ts';

/** Of the Service, as in Liqo's chart. */
export const servicePort = 9443;

/** What all webhooks have in common. Without an authority: the webhooks write their own. */
export function forgeHook({ namespace }: Values, name: string, path: string) {
  const service = { namespace, name: fixedNames.webhook, port: servicePort, path };
  return {
    name,
    clientConfig: { service },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    matchPolicy: 'Equivalent',
    timeoutSeconds: 5,
  };
}

/** CEL: a part of an object that may be absent. */
export const celLabels = (object: string) =>
  `(has(${object}.metadata.labels) ? ${object}.metadata.labels : {})`;
export const celAnnotations = (object: string) =>
  `(has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {})`;
export const celSpec = (object: string) => `(has(${object}.spec) ? ${object}.spec : {})`;
