import { type Infer, stringEnum } from '../schema.ts';

/** Which of its credentials a consumer uses: those of the peering protocol, or those for the pods of one slice. */
export const identityType = stringEnum('ControlPlane', 'ResourceSlice');

export type IdentityType = Infer<typeof identityType>;
