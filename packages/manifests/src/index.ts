export { forgeHooks } from './chart/forge-hooks.ts';
export { electionLease } from './election-lease.ts';
export { forgeEverything, forgeKinds, forgeManifests } from './forge-manifests.ts';
export { checkValues } from './given/check-values.ts';
export { type GivenValues, mergeGiven, mergeValues } from './given/merge-values.ts';
export { readSetting, SettingError } from './given/read-setting.ts';
export { kindOfManifest } from './kind-of-manifest.ts';
export { imageReference } from './pod-settings.ts';
export { defaultValues, type Values } from './values.ts';
