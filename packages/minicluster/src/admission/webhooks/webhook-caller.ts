import {
  abortSignalOf,
  type CallSignal,
  type Clock,
  DeadlineError,
  deadline,
  type Random,
} from '@liqo/kube';
import { randomUuid } from '../../auth/random-uuid.ts';
import { badRequest } from '../../rest/refusal.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { forgeRequest } from './admission-review.ts';
import { connectionFact, statusFact } from './call-fact.ts';
import { type JsonAnswer, postJson } from './post-json.ts';
import { ResponseError, readResponse, type WebhookResponse } from './read-response.ts';
import type { ResolveService } from './resolve-service.ts';
import type { Webhook } from './webhook.ts';
import { locateWebhook, printUrl, webhookUrl } from './webhook-endpoint.ts';
import { deniedBy, WebhookCallError } from './webhook-error.ts';

export interface WebhookCallerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly resolveService: ResolveService;
  /** In the place of the network. */
  readonly callWebhook?: CallWebhook | undefined;
}

/** Answers what is posted to the URL of a webhook. Whatever it rejects with is a connection that failed. */
export type CallWebhook = (url: URL, body: string, signal: AbortSignal) => Promise<JsonAnswer>;

const defaultTimeoutSeconds = 10;

/** Asks webhooks, and makes errors of all that can go wrong with that. */
export class WebhookCaller {
  readonly #options: WebhookCallerOptions;

  constructor(options: WebhookCallerOptions) {
    this.#options = options;
  }

  /**
   * What the webhook says to an object in the form of `target`, once its warnings are passed on. Undefined when it
   * could not be asked and does not insist on it; its refusal is thrown.
   */
  async consult(
    hook: Webhook,
    attributes: AdmissionAttributes,
    target: Resource,
    mayPatch: boolean,
  ): Promise<WebhookResponse | undefined> {
    refuseSideEffects(hook, attributes);
    try {
      const response = await this.#ask(hook, attributes, target, mayPatch);
      for (const warning of response.warnings) attributes.warn(warning);
      if (!response.allowed) throw deniedBy(hook.name, response.result);
      return response;
    } catch (error) {
      if (error instanceof WebhookCallError && hook.failurePolicy === 'Ignore') return undefined;
      throw error;
    }
  }

  async #ask(
    hook: Webhook,
    attributes: AdmissionAttributes,
    target: Resource,
    mayPatch: boolean,
  ): Promise<WebhookResponse> {
    const uid = randomUuid(this.#options.random);
    const request = forgeRequest(attributes, target, uid);
    const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request };
    const answer = await this.#post(hook, JSON.stringify(review), attributes.signal);
    const fail = (fact: string) => new WebhookCallError(hook.name, fact);
    const fact = statusFact(answer);
    if (fact) throw fail(`failed to call webhook: ${fact}`);
    try {
      return readResponse(parseReview(answer.text), uid, mayPatch);
    } catch (error) {
      throw error instanceof ResponseError ? fail(error.message) : error;
    }
  }

  async #post(hook: Webhook, body: string, signal: CallSignal): Promise<JsonAnswer> {
    const { store, clock, resolveService, callWebhook } = this.#options;
    const { clientConfig, timeoutSeconds = defaultTimeoutSeconds } = hook;
    const url = webhookUrl(clientConfig, timeoutSeconds);
    const failed = (fact: string, cause: unknown) => {
      const call = `failed to call webhook: Post "${printUrl(url, clientConfig)}": ${fact}`;
      return new WebhookCallError(hook.name, call, { cause });
    };
    using limit = deadline(clock, timeoutSeconds * 1000, 'context deadline exceeded');
    const ended = AbortSignal.any([abortSignalOf(signal), limit.signal]);
    let address = { host: url.hostname, port: 0 };
    try {
      if (callWebhook) return await callWebhook(url, body, ended);
      const endpoint = locateWebhook(clientConfig, url, store, resolveService);
      address = endpoint.address;
      return await postJson(endpoint, body, ended);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const reason: unknown = limit.signal.reason;
      throw reason instanceof DeadlineError
        ? failed(reason.message, reason)
        : failed(connectionFact(error, address), error);
    }
  }
}

/** Nothing may come of a dry run: a webhook that would do something is not even asked. */
function refuseSideEffects({ name, sideEffects }: Webhook, { dryRun }: AdmissionAttributes): void {
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  throw badRequest(`admission webhook "${name}" does not support dry run`);
}

function parseReview(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ResponseError(
      `failed to call webhook: couldn't get version/kind; json parse error: the answer is not JSON`,
    );
  }
}
