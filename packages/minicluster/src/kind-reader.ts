import type { Client } from '@liqo/kube';

/** What a part of the cluster follows kinds with. A client is one; another one reads the store itself. */
export type KindReader = Pick<Client, 'list' | 'watch'>;
