export { electionLease } from './election-lease.ts';
export { forgeKinds, forgeManifests } from './forge-manifests.ts';
export { kindOfManifest } from './kind-of-manifest.ts';
export { defaultValues, type Values } from './values.ts';
