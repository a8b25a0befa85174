import { formatTime, type Pod, setCondition } from '@liqo/kube';
import type { Binding } from 'kubernetes-types/core/v1.d.ts';
import { AdmissionChain } from '../admission/admission.ts';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import { parseBody } from '../rest/decode-body.ts';
import { invalidValue } from '../rest/object-metadata.ts';
import { conflict, type FieldProblem, invalid, noSuchPath } from '../rest/refusal.ts';
import type { Resource } from '../rest/resource.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import { absent, keyOfTarget } from '../rest/target.ts';
import { updateObject } from '../rest/update-object.ts';
import { readWriteSettings } from '../rest/write-options.ts';
import type { Item } from '../store/collection.ts';
import { admitSubresource } from './admit-subresource.ts';
import { successStatus } from './success-status.ts';

/** `pods/binding`: gives a pod its node, once and for all. Admission sees the binding, and not what it does to the pod. */
export function podBinding(parts: ServerParts) {
  const unadmitted = { ...parts, admission: new AdmissionChain([]) };
  return async (request: ApiRequest, resource: Resource): Promise<ApiAnswer> => {
    const target = request.info.resource;
    if (!target) throw noSuchPath();
    const binding = parseBody(request) as Binding;
    refuseBadBinding(binding);
    await admitSubresource(parts, request, resource, 'CREATE', binding);
    const change = {
      key: keyOfTarget(resource, target),
      subresource: 'binding',
      settings: readWriteSettings(request),
      compute: (current: Item) => bound(parts, current as Item & Pod, binding),
    };
    const updated = await updateObject(unadmitted, resource, request, change);
    if (!updated) throw absent(resource, target);
    return { status: 201, body: successStatus(201) };
  };
}

function refuseBadBinding({ metadata, target }: Binding): void {
  const problems: FieldProblem[] = [];
  if (target?.kind && target.kind !== 'Node') {
    problems.push({
      field: 'target.kind',
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: "${target.kind}": supported values: "Node", "<empty>"`,
    });
  }
  if (!target?.name) {
    problems.push({
      field: 'target.name',
      reason: 'FieldValueRequired',
      message: 'Required value',
    });
  }
  if (problems.length > 0)
    throw invalid({ group: '', kind: 'Binding' }, metadata?.name ?? '', problems);
}

function bound(parts: ServerParts, pod: Item & Pod, binding: Binding): Pod {
  const { name, deletionTimestamp, uid } = pod.metadata;
  const refuse = (why: string) => conflict({ group: '', plural: 'pods/binding' }, name, why);
  if (binding.metadata?.uid && binding.metadata.uid !== uid) {
    throw refuse(
      `Precondition failed: UID in precondition: ${binding.metadata.uid}, UID in object meta: ${uid}`,
    );
  }
  if (deletionTimestamp) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec?.nodeName) {
    throw refuse(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  }
  if (pod.spec?.schedulingGates?.length) {
    const gated = invalidValue('spec.schedulingGates', pod.spec.schedulingGates, 'must be empty');
    throw invalid({ group: '', kind: 'Pod' }, name, [gated]);
  }
  const scheduled = { type: 'PodScheduled', status: 'True' };
  const conditions = setCondition(
    pod.status?.conditions ?? [],
    scheduled,
    formatTime(parts.clock.now()),
  );
  const annotations = { ...pod.metadata.annotations, ...binding.metadata?.annotations };
  return {
    ...pod,
    metadata: { ...pod.metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: {
      ...pod.spec,
      containers: pod.spec?.containers ?? [],
      nodeName: binding.target.name ?? '',
    },
    status: { ...pod.status, conditions },
  };
}
