import { type Client, type ObjectKey, ServiceAccount, TokenReview } from '@liqo/kube';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

export type TokenRequestSpec = Parameters<Client['createToken']>[1];

/** Whom tokens are from and for, unless somebody says otherwise. */
export const issuer = 'https://kubernetes.default.svc.cluster.local';
export const credentialId = 'authentication.kubernetes.io/credential-id';

/** The claims of a token, as they stand there. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

export async function issue(
  subject: GetSubjectWithUsers,
  account: ObjectKey,
  spec: Partial<TokenRequestSpec> = {},
): Promise<string> {
  const request = await subject().client.createToken(account, spec as TokenRequestSpec);
  return request.status?.token ?? '';
}

/** What the server makes of a token. */
export async function review(subject: GetSubjectWithUsers, token: string, audiences?: string[]) {
  const spec = { token, ...(audiences && { audiences }) };
  const { status } = await subject().client.create(TokenReview, { spec });
  return status;
}

export async function makeAccount(subject: GetSubjectWithUsers, name = 'robot') {
  const account = { namespace: await freshNamespace(subject()), name };
  const made = await subject().client.create(ServiceAccount, { metadata: account });
  return { account, uid: made.metadata.uid };
}
