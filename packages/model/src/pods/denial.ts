import { ApiError, oneLine, type Pod, type Stored } from '@liqo/kube';
import { denialReasons, type OffloadProblem } from './offload-problem.ts';
import type { PodRoute } from './translate-pod-spec.ts';

/** Answers below 500 that say nothing about the object: credentials, names, races and rates. */
const otherAnswers: ReadonlySet<number> = new Set([401, 404, 408, 409, 410, 429]);

/** What an API server says when a webhook denies a request, whatever the code that the webhook chose. */
const webhookDenial = /^admission webhook ".*?" denied the request/;

/** Whether an API server refused a write because of what was written: by RBAC, quota, validation or a webhook. */
export function isDenial(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { code, message } = error;
  return (code >= 400 && code < 500 && !otherAnswers.has(code)) || webhookDenial.test(message);
}

/** The problem of a pod whose ShadowPod the provider denies, with the provider's message. */
export function denialProblem(
  { metadata }: Stored<Pod>,
  { providerClusterID }: PodRoute,
  write: keyof typeof denialReasons,
  error: ApiError,
): OffloadProblem {
  const attempt =
    write === 'create'
      ? `Cannot offload pod "${metadata.name}": provider "${providerClusterID}" denies its ShadowPod`
      : `Cannot change pod "${metadata.name}" at provider "${providerClusterID}", which denies the update of its ShadowPod`;
  const message = oneLine(`${attempt}: ${error.message}`);
  return { reason: denialReasons[write], message };
}
