import type { StepReport } from './progress.ts';

/** For programs that tell in their own words what goes on. */
export const silentReport: StepReport = {
  step: (_, work) => work(() => undefined),
  leaves: () => undefined,
  note: () => undefined,
  warn: () => undefined,
};
