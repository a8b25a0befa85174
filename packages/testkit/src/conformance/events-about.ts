import { type Client, defineKind, type KubeObject, type Stored } from '@liqo/kube';

/** An event as controllers write it and `kubectl` reads it. */
interface CoreEvent extends KubeObject {
  readonly involvedObject: Readonly<Record<string, string>>;
  readonly type: string;
  readonly reason: string;
  readonly message?: string;
  readonly source: { readonly component?: string };
  readonly reportingComponent: string;
  readonly firstTimestamp: string | null;
}

const CoreEvent = defineKind<CoreEvent>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

export async function eventsAbout(
  client: Client,
  namespace: string,
  name: string,
): Promise<readonly Stored<CoreEvent>[]> {
  const fieldSelector = `involvedObject.name=${name}`;
  const { items } = await client.list(CoreEvent, { namespace, fieldSelector });
  return items;
}

/** What events say, sorted, without the letters that servers make up for names that begin with the object's. */
export async function storiesAbout(
  client: Client,
  namespace: string,
  name: string,
): Promise<readonly string[]> {
  const events = await eventsAbout(client, namespace, name);
  const letters = '[bcdfghjklmnpqrstvwxz2456789]';
  const hash = new RegExp(`(?<=\\b${name}-)${letters}{8,10}\\b`, 'g');
  const random = new RegExp(`(?<=\\b${name}-)${letters}{5}\\b`, 'g');
  return events
    .map(({ type, reason, message = '', source }) => {
      const text = message.replaceAll(hash, 'HASH').replaceAll(random, 'xxxxx');
      return `${source.component} ${type} ${reason}: ${text}`;
    })
    .toSorted();
}
