import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { type Client, TokenReview } from '@liqo/kube';

/** Who asks. */
export interface PeerUser {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, string[]>> | undefined;
}

/** By client certificate, else by bearer token, which the API server judges. Undefined when by neither. */
export async function peerUser(
  request: IncomingMessage,
  client: Client,
): Promise<PeerUser | undefined> {
  return certificateUser(request) ?? (await tokenUser(request, client));
}

/** The authority was checked in the TLS handshake. */
function certificateUser({ socket }: IncomingMessage): PeerUser | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  const organizations: unknown = subject?.O;
  const groups = [organizations ?? []].flat().map(String);
  return subject?.CN ? { name: String(subject.CN), groups } : undefined;
}

async function tokenUser(
  { headers }: IncomingMessage,
  client: Client,
): Promise<PeerUser | undefined> {
  const [, token] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (!token) return undefined;
  const { status } = await client.create(TokenReview, { spec: { token } });
  const { username, uid, groups = [], extra } = status?.user ?? {};
  return status?.authenticated && username ? { name: username, uid, groups, extra } : undefined;
}
