/** The four ways to send a patch. */

export const merge = 'application/merge-patch+json';
export const strategicMerge = 'application/strategic-merge-patch+json';
export const jsonPatch = 'application/json-patch+json';
export const applyPatch = 'application/apply-patch+yaml';
