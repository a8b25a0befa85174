import { stringList } from '../embedded/string-list.ts';
import { integer, object, string, stringEnum } from '../schema.ts';

export const portNumber = integer({ format: 'int32', minimum: 0, maximum: 65535 });

/** Where a gateway server is reached from outside. */
export const gatewayEndpoint = object({
  optional: { addresses: stringList, port: portNumber, protocol: stringEnum('TCP', 'UDP') },
});

/** Where a gateway is reached from the nodes of its own cluster. */
export const internalEndpoint = object({
  optional: { ip: string({ format: 'ipv4' }), node: string() },
});
