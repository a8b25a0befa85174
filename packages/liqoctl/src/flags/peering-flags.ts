import { checkDnsLabel } from '@liqo/kube';
import { proxyUrlProblem } from '@liqo/model';
import type { FlagTable } from './flag.ts';
import {
  connectionFlags,
  liqoNamespaceFlag,
  namespaceFlag,
  remoteConnectionFlags,
  remoteLiqoNamespaceFlag,
} from './shared-flags.ts';

export function remoteClusterIDFlag(help: string) {
  return {
    'remote-cluster-id': { type: 'text', value: 'ID', required: true, check: checkDnsLabel, help },
  } as const satisfies FlagTable;
}

/** Of every command that talks to the consumer, as the local cluster, and to the provider, as the remote one. */
export const twoClusterFlags = {
  ...namespaceFlag('the tenant namespace, if it does not exist yet'),
  'remote-namespace': {
    type: 'text',
    value: 'NAME',
    check: checkDnsLabel,
    help: 'the tenant namespace in the remote cluster, if it does not exist yet',
  },
  ...liqoNamespaceFlag,
  ...remoteLiqoNamespaceFlag,
  ...connectionFlags,
  ...remoteConnectionFlags,
} as const satisfies FlagTable;

export const proxyUrlFlag = {
  'proxy-url': {
    type: 'text',
    value: 'URL',
    check: checkProxyUrl,
    help: 'the HTTP proxy on the way from the consumer to the API server of the provider',
  },
} as const satisfies FlagTable;

/** As the provider checks it: a Tenant that it denies would be left behind. */
function checkProxyUrl(text: string): readonly string[] {
  const problem = proxyUrlProblem(text);
  return problem === undefined ? [] : [problem];
}

export const inBandFlag = {
  'in-band': {
    type: 'boolean',
    help: 'needs a network module, and none is installed: use --proxy-url',
  },
} as const satisfies FlagTable;

/** Without a network between the clusters there is no proxy to be found at the provider. */
export function refuseInBand(said: { readonly 'in-band': boolean }): readonly string[] {
  return said['in-band']
    ? [
        '"--in-band" needs a network module, and none is installed: name the proxy with "--proxy-url"',
      ]
    : [];
}

/** Spelled as in Liqo: `--wait=false` does not wait. */
export function waitFlag(help: string) {
  return { wait: { type: 'boolean', default: 'true', help } } as const satisfies FlagTable;
}
