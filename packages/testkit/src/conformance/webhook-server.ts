import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { JsonPatchOperation, KubeObject } from '@liqo/kube';
import { createCertificateAuthority } from '../real-cluster/certificate-authority.ts';

/** What an API server asks a webhook. */
export interface ReviewRequest {
  readonly uid: string;
  readonly name?: string;
  readonly operation: string;
  readonly subResource?: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly requestKind: { readonly group: string; readonly version: string };
  readonly dryRun: boolean;
  readonly userInfo: { readonly username: string };
  readonly object: (KubeObject & { readonly data?: Record<string, string> }) | null;
  readonly oldObject: KubeObject | null;
}

/** The answer; `raw` is sent instead of a review, `silent` is no answer at all. */
export interface ReviewAnswer {
  readonly allowed?: boolean;
  readonly status?: object;
  readonly warnings?: readonly string[];
  readonly patch?: readonly JsonPatchOperation[];
  readonly response?: object;
  readonly raw?: { readonly status: number; readonly text: string };
  readonly silent?: boolean;
}

type Answer = (request: ReviewRequest) => ReviewAnswer | Promise<ReviewAnswer>;

/** A webhook on this machine. Each path has an answer of its own, and remembers who asked. */
export interface WebhookServer extends AsyncDisposable {
  readonly url: string;
  readonly caBundle: string;
  answer(path: string, answer: Answer): void;
  asked(path: string): readonly ReviewRequest[];
}

export async function startWebhookServer(): Promise<WebhookServer> {
  const ca = await createCertificateAuthority('webhooks');
  const { certificate, privateKey } = await ca.issueServer('webhook', ['127.0.0.1']);
  const answers = new Map<string, Answer>();
  const requests = new Map<string, ReviewRequest[]>();
  const server = createServer(
    { cert: certificate, key: privateKey },
    async (incoming, outgoing) => {
      const path = incoming.url?.split('?', 1)[0] ?? '';
      const request: ReviewRequest = JSON.parse(await readText(incoming)).request;
      requests.set(path, [...(requests.get(path) ?? []), request]);
      const answer = (await answers.get(path)?.(request)) ?? {};
      if (answer.silent) return;
      outgoing.statusCode = answer.raw?.status ?? 200;
      outgoing.setHeader('content-type', answer.raw ? 'text/plain' : 'application/json');
      outgoing.end(answer.raw?.text ?? JSON.stringify(reviewOf(request, answer)));
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caBundle: Buffer.from(ca.certificate).toString('base64'),
    answer: (path, answer) => answers.set(path, answer),
    asked: (path) => requests.get(path) ?? [],
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function reviewOf(
  { uid }: ReviewRequest,
  { allowed = true, patch, ...rest }: ReviewAnswer,
): object {
  const { status, warnings } = rest;
  const encoded = patch && Buffer.from(JSON.stringify(patch)).toString('base64');
  const response = {
    uid,
    allowed,
    ...(status && { status }),
    ...(warnings && { warnings }),
    ...(encoded && { patch: encoded, patchType: 'JSONPatch' }),
    ...rest.response,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
