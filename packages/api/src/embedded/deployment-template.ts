import type { DeploymentSpec } from 'kubernetes-types/apps/v1.d.ts';
import { object, preserved } from '../schema.ts';
import { podSpec } from './pod-spec.ts';
import { templateMetadata } from './template-metadata.ts';

const podTemplate = preserved(object({ optional: { metadata: templateMetadata, spec: podSpec } }));

/** A Deployment yet to be made. */
export const deploymentTemplate = object({
  optional: {
    metadata: templateMetadata,
    spec: preserved<DeploymentSpec>(
      object({ required: { selector: preserved(), template: podTemplate } }),
    ),
  },
});
