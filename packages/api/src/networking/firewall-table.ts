import { objectReference } from '../embedded/object-reference.ts';
import { boolean, integer, list, object, string, stringEnum, withDefault } from '../schema.ts';

const direction = stringEnum('src', 'dst');

const match = object({
  required: { op: stringEnum('eq', 'neq') },
  optional: {
    ip: object({ required: { value: string(), position: direction } }),
    port: object({ required: { value: string(), position: direction } }),
    proto: object({ required: { value: stringEnum('tcp', 'udp') } }),
    dev: object({ required: { value: string(), position: stringEnum('in', 'out') } }),
  },
});

const natRule = object({
  required: { natType: stringEnum('dnat', 'snat', 'masquerade'), match: list(match) },
  optional: { name: string(), to: string(), targetRef: objectReference },
});

const filterRule = object({
  required: {
    action: stringEnum('ctmark', 'metamarkfromctmark', 'tcpmssclamp', 'accept', 'drop', 'reject'),
    match: list(match),
    counter: withDefault(boolean('Whether its packets are counted.'), true),
  },
  optional: { name: string(), value: string() },
});

const routeRule = object({ optional: { name: string() } });

const rules = object(
  {
    optional: {
      natRules: list(natRule),
      filterRules: list(filterRule),
      routeRules: list(routeRule),
    },
  },
  { maxProperties: 1, description: 'Rules of one of the three sorts.' },
);

const chain = object({
  required: {
    name: string(),
    type: stringEnum('filter', 'route', 'nat'),
    hook: stringEnum('prerouting', 'input', 'forward', 'output', 'postrouting', 'ingress'),
    policy: stringEnum('drop', 'accept'),
    priority: withDefault(integer({ format: 'int32' }), 0),
    rules,
  },
});

/** A table of nftables. */
export const firewallTable = object({
  required: {
    name: string(),
    family: stringEnum('INET', 'IPV4', 'IPV6', 'ARP', 'NETDEV', 'BRIDGE'),
  },
  optional: { chains: list(chain) },
  immutable: ['name'],
});
