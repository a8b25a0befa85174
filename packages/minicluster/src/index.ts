export type { ImageRegistry, Program, ProgramContext } from './node/containers/image-registry.ts';
export type { NodeAgent } from './node/start-node.ts';
export {
  type Identity,
  type Minicluster,
  type MiniclusterOptions,
  type NodeSettings,
  startMinicluster,
} from './start-minicluster.ts';
