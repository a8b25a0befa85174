import { apiVersionOf, formatTime } from '@liqo/kube';
import type { TokenRequest } from 'kubernetes-types/authentication/v1.d.ts';
import type { AdmissionChain } from '../../admission/admission.ts';
import { recordUpdate } from '../../patch/managed-fields.ts';
import type { ApiAnswer, ApiRequest } from '../../rest/api-request.ts';
import { decodeBody } from '../../rest/decode-body.ts';
import { badRequest } from '../../rest/refusal.ts';
import type { Resource } from '../../rest/resource.ts';
import { readWriteSettings } from '../../rest/write-options.ts';
import {
  type AccountKey,
  answerTokenRequest,
  completeTokenRequest,
  type TokenRequestParts,
  tokenRequestKind,
} from './token-request.ts';

/** `POST …/serviceaccounts/<name>/token`. */
export function tokenSubresource(parts: TokenRequestParts, admission: AdmissionChain) {
  return async (request: ApiRequest, accounts: Resource): Promise<ApiAnswer> => {
    const { namespace = '', name = '' } = request.info.resource ?? {};
    const asked = decodeTokenRequest(parts, request, accounts);
    const given = asked.metadata?.namespace;
    if (given && given !== namespace) {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
    const key = { namespace, name };
    const attributes = attributesOf(request, accounts, key);
    const admitted = (await admission.mutate({ ...attributes, object: asked })) ?? asked;
    const complete = completeTokenRequest(parts, key, admitted as TokenRequest);
    await admission.validate({ ...attributes, object: complete });
    return { status: 201, body: answerTokenRequest(parts, key, complete) };
  };
}

function attributesOf(request: ApiRequest, resource: Resource, { namespace, name }: AccountKey) {
  const { user, signal, warn } = request;
  return {
    operation: 'CREATE' as const,
    resource,
    subresource: 'token',
    namespace,
    name,
    previous: undefined,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    dryRun: readWriteSettings(request).dryRun,
    user,
    signal,
    warn,
  };
}

/** The request has names of its own, and no life: only its type and how it is decoded matter. */
function decodeTokenRequest(
  { clock }: TokenRequestParts,
  request: ApiRequest,
  accounts: Resource,
): TokenRequest {
  const { group, version, kind } = tokenRequestKind;
  const schema = accounts.schemas.ofKind(group, version, kind);
  if (!schema) throw new Error(`Cannot issue tokens: no schema of kind "${kind}"`);
  const settings = readWriteSettings(request);
  const resource = { ...accounts, ...tokenRequestKind, schema, strategy: {} };
  // What the name in the body has to be is for the answer to say: it has words of its own for it.
  const { resource: target } = request.info;
  const anonymous = {
    ...request,
    info: { ...request.info, resource: target && { ...target, name: undefined } },
  };
  const object = decodeBody(resource, anonymous, settings);
  const time = formatTime(clock.now());
  const writer = { manager: settings.manager, apiVersion: apiVersionOf(tokenRequestKind), time };
  const by = { ...writer, subresource: 'token' };
  return recordUpdate(accounts.schemas, schema, undefined, object, by) as TokenRequest;
}
