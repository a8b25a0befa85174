import { type Client, Namespace } from '@liqo/kube';

/** What time it is for the server, whatever clock it lives on: the birth of something that it would create now. */
export async function serverTime(client: Client): Promise<string> {
  const metadata = { generateName: 'what-time-is-it-' };
  const unborn = await client.create(Namespace, { metadata }, { dryRun: true });
  return unborn.metadata.creationTimestamp;
}
