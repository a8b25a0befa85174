import { checkDnsLabel } from '@liqo/kube';
import type { FlagTable } from './flag.ts';

export function remoteClusterIDFlag(help: string) {
  return {
    'remote-cluster-id': { type: 'text', value: 'ID', required: true, check: checkDnsLabel, help },
  } as const satisfies FlagTable;
}
