import type { Values } from './values.ts';

/** The arguments of the controller manager about what consumers are granted. */
export function sliceArguments({ enableResourceEnforcement }: Values['slices']): readonly string[] {
  return [`--enable-resource-enforcement=${enableResourceEnforcement}`];
}
