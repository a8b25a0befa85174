export { peerConnector } from './connect-peer.ts';
export { type ControllerManagerOptions, startControllers } from './controller-manager.ts';
export { runLiqo } from './run-liqo.ts';
export type { Surroundings } from './surroundings.ts';
