import { string } from '../schema.ts';

/** The identity of a cluster: a DNS label, chosen once, known to all its peers. */
export const clusterID = string({ pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 });
