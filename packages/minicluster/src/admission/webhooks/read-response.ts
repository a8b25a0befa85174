import { isJsonObject, type JsonPatchOperation } from '@liqo/kube';
import type { Status } from 'kubernetes-types/meta/v1.d.ts';

/** What a webhook has decided. */
export interface WebhookResponse {
  readonly allowed: boolean;
  readonly result: Status | undefined;
  readonly warnings: readonly string[];
  readonly patch: readonly JsonPatchOperation[];
}

interface WireResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: Status;
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[] | null;
}

/** An answer that breaks the rules of AdmissionReview; the message is in the server's words. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
}

export function readResponse(review: unknown, uid: string, mayPatch: boolean): WebhookResponse {
  const { response, apiVersion = '', kind = '' } = isJsonObject(review) ? review : {};
  if (!isJsonObject(response)) throw invalidResponse('webhook response was absent');
  const { allowed = false, status, warnings, ...rest } = response as WireResponse;
  if (rest.uid !== uid) {
    throw invalidResponse(`expected response.uid="${uid}", got "${rest.uid ?? ''}"`);
  }
  if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview') {
    throw invalidResponse(
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${apiVersion}, Kind=${kind}`,
    );
  }
  refuseBadPatch(rest, mayPatch);
  return { allowed, result: status, warnings: warnings ?? [], patch: readPatch(rest) };
}

function refuseBadPatch({ patch, patchType }: WireResponse, mayPatch: boolean): void {
  if (!mayPatch) {
    if (patch) throw invalidResponse('validating webhook may not return response.patch');
    if (patchType === undefined) return;
    throw invalidResponse('validating webhook may not return response.patchType');
  }
  if (patch && patchType === undefined) {
    throw invalidResponse('webhook returned response.patch but not response.patchType');
  }
  if (!patch && patchType !== undefined) {
    throw invalidResponse('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') {
    throw invalidResponse('webhook returned invalid response.patchType of ""');
  }
}

function readPatch({ patch, patchType }: WireResponse): readonly JsonPatchOperation[] {
  if (!patch) return [];
  if (patchType !== 'JSONPatch') throw new ResponseError(`unsupported patch type "${patchType}"`);
  const operations = parseList(Buffer.from(patch, 'base64').toString());
  if (operations) return operations;
  throw new ResponseError(
    'received undecodable patch in webhook response: it is not a list of operations',
  );
}

function parseList(text: string): readonly JsonPatchOperation[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    // Whatever is wrong with it, it is no patch.
    return undefined;
  }
}

function invalidResponse(fact: string): ResponseError {
  return new ResponseError(`received invalid webhook response: ${fact}`);
}
