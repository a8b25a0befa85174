export type { CallWebhook } from './admission/webhooks/webhook-caller.ts';
export { serviceAccountGroups, serviceAccountUserName } from './auth/service-account-user.ts';
export type { CallInterceptor } from './intercept-calls.ts';
export type { ImageRegistry, Program, ProgramContext } from './node/containers/image-registry.ts';
export type { NodeAgent } from './node/start-node.ts';
export { readRequestInfo } from './rest/request-info.ts';
export { readRequestTarget } from './rest/request-target.ts';
export {
  type ClusterSnapshot,
  type Identity,
  type Minicluster,
  startMinicluster,
} from './start-minicluster.ts';
