import {
  applyJsonPatch,
  deepEqual,
  JsonPatchError,
  type JsonPatchOperation,
  type KubeObject,
} from '@liqo/kube';
import { completeObject, decodeAs } from '../../rest/decode-body.ts';
import { internalError } from '../../rest/refusal.ts';
import type { Resource } from '../../rest/resource.ts';
import { DecodeError } from '../../schema/decode-error.ts';
import type { Store } from '../../store/store.ts';
import type { Admission, MutationAttributes } from '../admission.ts';
import { isExempt, type WebhookChooser } from './choose-webhooks.ts';
import { convertObject } from './review-target.ts';
import { mutatingWebhooks, type Webhook } from './webhook.ts';
import type { WebhookCaller } from './webhook-caller.ts';
import { WebhookCallError } from './webhook-error.ts';

/** Webhooks that change objects: one after the other, each sees what those before have made of it. */
export function mutatingAdmissionWebhook(
  store: Store,
  chooser: WebhookChooser,
  caller: WebhookCaller,
): Admission {
  const consult = async (hook: Webhook, attributes: MutationAttributes) => {
    const { object, reinvocation } = attributes;
    const target = chooser.targetOf(hook, attributes);
    if (!target || !reinvocation.mayCall(hook.id)) return object;
    const response = await caller.consult(hook, attributes, target, true);
    const next = response?.patch.length
      ? patchObject(hook, attributes, target, response.patch)
      : object;
    if (!deepEqual(next, object)) reinvocation.noteChange();
    if (hook.reinvocationPolicy === 'IfNeeded') reinvocation.noteReinvocable(hook.id);
    return next;
  };
  return {
    name: 'MutatingAdmissionWebhook',
    async mutate(attributes) {
      let { object } = attributes;
      if (isExempt(attributes)) return object;
      attributes.reinvocation.beginWebhooks(object);
      try {
        for (const hook of mutatingWebhooks(store)) {
          object = await consult(hook, { ...attributes, object });
        }
      } catch (error) {
        throw error instanceof WebhookCallError ? internalError(error) : error;
      }
      attributes.reinvocation.endWebhooks(object);
      return object;
    },
  };
}

/** The object as the webhook wants it, read and completed as if a client had sent it. */
function patchObject(
  hook: Webhook,
  { object, resource, subresource }: MutationAttributes,
  target: Resource,
  patch: readonly JsonPatchOperation[],
): KubeObject {
  if (!object) {
    const fact = `admission webhook "${hook.name}" attempted to modify the object, which is not supported for this operation`;
    throw internalError(new Error(fact));
  }
  try {
    const patched = applyJsonPatch(convertObject(object, resource, target), patch);
    const isOther = (target.subresources.get(subresource)?.kind ?? target.kind) !== target.kind;
    if (isOther) return patched;
    const complete = completeObject(target, decodeAs(target, patched).object);
    return convertObject(complete, target, resource);
  } catch (error) {
    const isBad = error instanceof JsonPatchError || error instanceof DecodeError;
    throw isBad ? internalError(error) : error;
  }
}
