import type { FlagTable } from './flag.ts';

const help = 'has no effect: no network module is installed';
const text = { type: 'text', value: 'VALUE', help } as const;

/** Of Liqo's "peer", so that command lines that were written for it keep working. */
export const networkFlags = {
  'networking-disabled': {
    type: 'boolean',
    help: 'says that the clusters reach each other by a network of their own, as they have to',
  },
  'skip-validation': { type: 'boolean', help },
  'gw-server-service-location': { ...text, choices: ['Provider', 'Consumer'], type: 'choice' },
  'gw-server-service-type': {
    ...text,
    choices: ['LoadBalancer', 'NodePort', 'ClusterIP'],
    type: 'choice',
  },
  'gw-server-service-port': text,
  'gw-server-service-nodeport': text,
  'gw-server-service-loadbalancerip': text,
  'gw-client-address': text,
  'gw-client-port': text,
  mtu: text,
} as const satisfies FlagTable;

/** What to tell a person who expects a network between the clusters; undefined if none is expected. */
export function networkNotice(given: ReadonlySet<string>): string | undefined {
  const names = Object.keys(networkFlags).filter((name) => given.has(name));
  const ignored = names.filter((name) => name !== 'networking-disabled').map((name) => `--${name}`);
  if (ignored.length === 0 && names.length > 0) return undefined;
  const fact =
    'No network module is installed: the clusters have to reach each other by a network of their own';
  return ignored.length === 0 ? fact : `${fact}, and ${ignored.join(', ')} has no effect`;
}
