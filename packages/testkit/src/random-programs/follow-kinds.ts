import { type Client, isJsonObject, mergePatch, type ObjectKey, resourcePath } from '@liqo/kube';
import type { Program } from './program.ts';
import { type KindName, type SampleKind, sampleKinds } from './sample-kinds.ts';

/** Where every kind has an object whose change tells that a watch has shown all that came before. */
export const endNamespace = 'compare-end';

export function endKey({ kind }: SampleKind): ObjectKey {
  return kind.namespaced ? { namespace: endNamespace, name: 'end' } : { name: endNamespace };
}

/** What happened to the objects of a program since a version, kind by kind, as a watch tells it. */
export async function followKinds(
  client: Client,
  program: Program,
  since: string,
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const events: Record<string, readonly unknown[]> = {};
  for (const kind of program.kinds) events[kind] = await follow(client, program, { kind, since });
  return events;
}

async function follow(
  client: Client,
  { name, namespaces }: Program,
  { kind, since }: { readonly kind: KindName; readonly since: string },
): Promise<readonly unknown[]> {
  const sample: SampleKind = sampleKinds[kind];
  const mark = `${name}-${since}`;
  const annotations = { 'compare.example/end': mark };
  await client.patch(sample.kind, endKey(sample), mergePatch({ metadata: { annotations } }));
  const events: unknown[] = [];
  for await (const event of watch(client, sample, since)) {
    if (event.object.metadata?.annotations?.['compare.example/end'] === mark) break;
    const { metadata } = event.object;
    const place = metadata?.namespace ?? metadata?.name;
    if (namespaces.some((own) => own === place)) events.push(event);
  }
  return events;
}

interface WireEvent {
  readonly object: {
    readonly metadata?: {
      readonly namespace?: string;
      readonly name?: string;
      readonly annotations?: Readonly<Record<string, string>>;
    };
  };
}

async function* watch(client: Client, { kind }: SampleKind, since: string) {
  const query = { watch: true, resourceVersion: since, timeoutSeconds: 20 };
  const path = resourcePath(kind, {}, query);
  const response = await client.raw({ method: 'GET', path });
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.chunks()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield readEvent(line);
  }
}

function readEvent(line: string): WireEvent {
  const event: unknown = JSON.parse(line);
  if (isJsonObject(event) && isJsonObject(event.object)) return event as unknown as WireEvent;
  throw new Error('Cannot read a watch event: it has no object');
}
