/** What programs other than liqoctl use of it, to make two clusters peers as its commands do. */
export { peer } from './peer.ts';
export { preparePeering } from './prepare-peering.ts';
export { ensureSlice } from './slice.ts';
export { unpeer } from './unpeer.ts';
