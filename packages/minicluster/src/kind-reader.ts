import type { Client } from '@liqo/kube';

/** What a part of the cluster reads and follows kinds with. A client is one; another one reads the store itself. */
export type KindReader = Pick<Client, 'get' | 'list' | 'watch'>;
