export {
  runWholeSweep,
  type WholeSweepOptions,
  type WholeSweepReport,
} from './story/whole-sweep.ts';
export { type Blueprint, drawBlueprint } from './world/blueprint.ts';
export { forgeCredentials } from './world/forge-credentials.ts';
export { SimulatedCluster } from './world/simulated-cluster.ts';
export { SimulatedProcess } from './world/simulated-process.ts';
export {
  type SettleOptions,
  SimulatedWorld,
  type SimulatedWorldOptions,
  startSimulatedWorld,
} from './world/simulated-world.ts';
