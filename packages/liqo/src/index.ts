export { startReviewer } from '@liqo/admission';
export { peerConnector } from './connect-peer.ts';
export { startControllers } from './controller-manager.ts';
export { runLiqo } from './run-liqo.ts';
