import type { Pod } from '@liqo/kube';
import type { PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { type FieldProblem, forbidden, invalid } from '../validation/field-problem.ts';
import { validateAnnotations, validateLabels } from '../validation/labels.ts';
import { validateImageText } from './validate-containers.ts';
import { validatePodSpec } from './validate-pod-spec.ts';

export function validatePod(pod: Pod): FieldProblem[] {
  const { metadata = {}, spec = { containers: [] } } = pod;
  const { containers, initContainers = [] } = spec;
  return [
    ...validatePodAnnotations('metadata.annotations', metadata.annotations, spec),
    ...validatePodSpec('spec', spec, metadata),
    ...validateTokens('spec.volumes', spec),
    ...(containers ?? []).flatMap((one, i) => validateImageText(`spec.containers[${i}]`, one)),
    ...initContainers.flatMap((one, i) => validateImageText(`spec.initContainers[${i}]`, one)),
  ];
}

export function validateNewPod({ spec = { containers: [] } }: Pod): FieldProblem[] {
  const field = 'spec.ephemeralContainers';
  return [
    ...(spec.ephemeralContainers?.length ? [forbidden(field, 'cannot be set on create')] : []),
    ...validateUngated('spec.nodeName', spec),
  ];
}

export function validatePodTemplate(field: string, template: PodTemplateSpec): FieldProblem[] {
  const { metadata = {}, spec = { containers: [] } } = template;
  const rule = 'ephemeral containers not allowed in pod template';
  return [
    ...validateLabels(`${field}.labels`, metadata.labels),
    ...validateAnnotations(`${field}.annotations`, metadata.annotations),
    ...validatePodAnnotations(`${field}.annotations`, metadata.annotations, spec),
    ...validatePodSpec(`${field}.spec`, spec, undefined),
    ...(spec.ephemeralContainers?.length
      ? [forbidden(`${field}.spec.ephemeralContainers`, rule)]
      : []),
  ];
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

function validatePodAnnotations(
  field: string,
  annotations: Readonly<Record<string, string>> = {},
  spec: PodSpec,
): FieldProblem[] {
  const mirror = annotations[mirrorAnnotation];
  const cost = annotations[deletionCost];
  const problems: FieldProblem[] = [];
  if (mirror !== undefined && !spec.nodeName) {
    const rule = 'must set spec.nodeName if mirror pod annotation is set';
    problems.push(invalid(`${field}[${mirrorAnnotation}]`, mirror, rule));
  }
  if (cost !== undefined && !isInt32(cost)) {
    problems.push(invalid(`${field}[${deletionCost}]`, cost, 'must be a 32bit integer'));
  }
  return problems;
}

function isInt32(text: string): boolean {
  return /^(0|-?[1-9][0-9]*)$/.test(text) && Math.abs(Number(text)) < 2 ** 31;
}

/** Tokens are of an account. */
function validateTokens(field: string, spec: PodSpec): FieldProblem[] {
  if (spec.serviceAccountName) return [];
  const rule = 'must not be specified when serviceAccountName is not set';
  return (spec.volumes ?? []).flatMap(({ projected }, v) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, s) =>
      serviceAccountToken
        ? [forbidden(`${field}[${v}].projected.sources[${s}].serviceAccountToken`, rule)]
        : [],
    ),
  );
}

function validateUngated(field: string, spec: PodSpec): FieldProblem[] {
  if (!spec.nodeName || !spec.schedulingGates?.length) return [];
  return [forbidden(field, 'cannot be set until all schedulingGates have been cleared')];
}
