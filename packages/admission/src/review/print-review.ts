import { diffJson, oneLine } from '@liqo/kube';
import type { AdmissionRequest } from './admission-request.ts';
import type { Verdict } from './verdict.ts';

/** API servers cut a warning off here. */
const longestWarning = 256;
const longestMessage = 4096;

/** The body of the answer. What a rule makes of an object becomes a JSON patch. */
export function printReview({ uid, object }: AdmissionRequest, verdict: Verdict): string {
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, ...responseOf(object, verdict) },
  });
}

function responseOf(before: AdmissionRequest['object'], verdict: Verdict): object {
  if (!verdict.allowed) {
    const { code, reason, message } = verdict;
    return { allowed: false, status: { code, reason, message: oneLine(message, longestMessage) } };
  }
  const { object, warnings = [] } = verdict;
  const patch = object && before ? diffJson(before, object) : [];
  return {
    allowed: true,
    ...(warnings.length > 0 && {
      warnings: warnings.map((warning) => oneLine(warning, longestWarning)),
    }),
    ...(patch.length > 0 && {
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    }),
  };
}
