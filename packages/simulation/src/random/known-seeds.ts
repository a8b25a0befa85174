/** Seeds that went wrong once, and what it was: they are played in every test run, for ever. */
export const knownSeeds: readonly (readonly [seed: number, what: string])[] = [
  [
    415,
    'a job never ended because its node had no resources left, and its pods kept an old status',
  ],
  [
    5036,
    'a pod that ended well while it was deleted over there ran again, because nobody held it until then',
  ],
  [215, 'pods waited in silence for a namespace that the provider refused'],
  [105, 'the end of the pod of an earlier ShadowPod was taken for that of its successor'],
];
