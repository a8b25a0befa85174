/** Seeds that went wrong once, and what it was: they are played in every test run, for ever. */
export const knownSeeds: readonly (readonly [seed: number, what: string])[] = [
  [
    415,
    'a job never ended because its node had no resources left, and its pods kept an old status',
  ],
];
