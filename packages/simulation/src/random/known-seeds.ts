/** Seeds that went wrong once, and what it was: they are played in every test run, for ever. */
export const knownSeeds: readonly (readonly [seed: number, what: string])[] = [
  [13, 'the pods of a job that was deleted first kept a virtual node from going'],
];
