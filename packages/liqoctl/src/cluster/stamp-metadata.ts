import { isJsonObject, type Transport, type TransportRequest } from '@liqo/kube';

/** Labels and annotations for every object that liqoctl creates. */
export interface Stamp {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Adds labels and annotations to an object; those that it has already stay as they are. */
export function stampMetadata<T extends object>(object: T, stamp: Stamp): T {
  const metadata = 'metadata' in object && isJsonObject(object.metadata) ? object.metadata : {};
  const { labels, annotations } = metadata as Partial<Stamp>;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...merged('labels', stamp.labels, labels),
      ...merged('annotations', stamp.annotations, annotations),
    },
  };
}

/** Stamps what is created or applied; requests that change existing objects pass as they are. */
export function stampingTransport(transport: Transport, stamp: Stamp): Transport {
  return {
    host: transport.host,
    credentials: transport.credentials,
    send: (request, signal) => transport.send(stampRequest(request, stamp), signal),
    upgrade: (request, signal) => transport.upgrade(request, signal),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

function stampRequest(request: TransportRequest, stamp: Stamp): TransportRequest {
  const { method, headers, body } = request;
  const isApply = headers?.['content-type']?.startsWith('application/apply-patch') ?? false;
  if ((method !== 'POST' && !isApply) || typeof body !== 'string') return request;
  return { ...request, body: JSON.stringify(stampMetadata(JSON.parse(body), stamp)) };
}

type Entries = Readonly<Record<string, string>>;

function merged(field: keyof Stamp, added: Entries, own: Entries | undefined) {
  const all = { ...added, ...own };
  return Object.keys(all).length > 0 ? { [field]: all } : {};
}
