/** The reason of a ShadowPod whose pod exists and could not be changed as asked for: the provider’s API server denied it. */
export const deniedChange = 'FailedUpdatePod';
