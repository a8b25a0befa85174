export { runLiqoctl } from './run-liqoctl.ts';
export { Interruption, type Output, type Surroundings } from './surroundings.ts';
