export { describeOutputFailure } from './output/output-failure.ts';
export { programName } from './program-name.ts';
export { runLiqoctl } from './run-liqoctl.ts';
export { Interruption, type Output } from './surroundings.ts';
