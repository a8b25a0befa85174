import { deepEqual, type Pod, type Stored } from '@liqo/kube';
import type { Container, PodSpec, ResourceRequirements } from 'kubernetes-types/core/v1.d.ts';
import type { PartStrategy } from '../../rest/resource.ts';
import { type FieldProblem, forbidden, invalid } from '../validation/field-problem.ts';
import { isStatic, withSpec } from './pod-part.ts';
import { qosClassOf } from './qos-class.ts';
import { validatePod } from './validate-pod.ts';

/** `pods/resize`: CPU and memory of containers that run, changed in place (KEP-1287). */
export const resize: PartStrategy = {
  onUpdate: (next, previous) => takeResources(next as Pod, previous as Stored<Pod>),
  validateUpdate: (next, previous) => validateResize(next as Pod, previous as Stored<Pod>),
};

/** What adds or removes containers is left as it is, to be refused. */
function takeResources(next: Pod, previous: Stored<Pod>): Pod {
  const { containers = [], initContainers } = next.spec ?? {};
  const { spec: old = { containers: [] } } = previous;
  const isSame =
    containers.length === old.containers.length &&
    (initContainers?.length ?? 0) === (old.initContainers?.length ?? 0);
  if (!isSame) return next;
  const inits = initContainers && { initContainers: resized(initContainers, old.initContainers) };
  return withSpec(
    { ...old, containers: resized(containers, old.containers), ...inits },
    next,
    previous,
  );
}

function resized(next: readonly Container[], previous: readonly Container[] = []): Container[] {
  if (next.some(({ name }, i) => name !== previous[i]?.name)) return [...next];
  return previous.map((old, i) => {
    const { resources: _, resizePolicy: __, ...rest } = old;
    const { resources, resizePolicy } = next[i] ?? {};
    return { ...rest, ...(resources && { resources }), ...(resizePolicy && { resizePolicy }) };
  });
}

function validateResize(next: Pod, previous: Stored<Pod>): FieldProblem[] {
  const { spec = { containers: [] } } = next;
  const { spec: old = { containers: [] } } = previous;
  if (isStatic(previous)) return [forbidden('', 'static pods cannot be resized')];
  if (old.os?.name === 'windows') return [forbidden('', 'windows pods cannot be resized')];
  const general = [...validatePod(next), ...validateClass(next, previous), ...supported(previous)];
  const order = [
    ...sameNames('containers', spec.containers, old.containers),
    ...sameNames('initContainers', spec.initContainers, old.initContainers),
  ];
  if (hasOwnResources(spec) || hasOwnResources(old)) return [...general, podLevel];
  if (order.length > 0) return [...general, ...order];
  const problems = [...general, ...noneRemoved(spec, old), ...onlyResources(spec, old)];
  if (problems.length > 0 || deepEqual(withResourcesOf(spec, old), old)) return problems;
  return [forbidden('spec', 'only cpu and memory resources are mutable')];
}

const podLevel = forbidden(
  '',
  'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled',
);

function hasOwnResources(spec: PodSpec): boolean {
  const { resources } = spec as { resources?: ResourceRequirements };
  const { limits = {}, requests = {} } = resources ?? {};
  return Object.keys(limits).length + Object.keys(requests).length > 0;
}

function validateClass(next: Pod, previous: Stored<Pod>): FieldProblem[] {
  const before = previous.status?.qosClass ?? qosClassOf(previous.spec);
  if (before === qosClassOf(next.spec)) return [];
  return [invalid('spec', before, 'Pod QOS Class may not change as a result of resizing')];
}

/** Nodes that can resize tell what their containers have. */
function supported({ status }: Stored<Pod>): FieldProblem[] {
  const running = (status?.containerStatuses ?? []).find(({ state }) => state?.running);
  const { resources } = (running ?? { resources: {} }) as { resources?: object };
  return resources ? [] : [forbidden('spec', 'Pod running on node without support for resize')];
}

type Containers = readonly Container[] | undefined;

function sameNames(list: string, next: Containers = [], previous: Containers = []): FieldProblem[] {
  if (next.length !== previous.length) {
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  }
  return previous.flatMap(({ name }, i) => {
    const rule = `${list} may not be renamed or reordered on resize`;
    return next[i]?.name === name ? [] : [forbidden(`spec.${list}[${i}].name`, rule)];
  });
}

function noneRemoved(next: PodSpec, previous: PodSpec): FieldProblem[] {
  const check = (list: 'containers' | 'initContainers') =>
    (previous[list] ?? []).flatMap((old, i) => {
      if (list === 'initContainers' && !isSidecar(old)) return [];
      const at = `spec.${list}[${i}].resources`;
      const resources = next[list]?.[i]?.resources;
      return (['requests', 'limits'] as const).flatMap((kind) => {
        const gone = Object.keys(old.resources?.[kind] ?? {}).some(
          (name) => resources?.[kind]?.[name] === undefined,
        );
        return gone ? [forbidden(`${at}.${kind}`, `resource ${kind} cannot be removed`)] : [];
      });
    });
  return [...check('initContainers'), ...check('containers')];
}

function onlyResources(next: PodSpec, previous: PodSpec): FieldProblem[] {
  const mains = (next.containers ?? []).flatMap((one, i) => {
    const rule = 'only cpu and memory resources are mutable';
    return isResized(one, previous.containers[i]) ? [] : [forbidden('spec', rule)];
  });
  const inits = (next.initContainers ?? []).flatMap((one, i) => {
    const old = previous.initContainers?.[i];
    if (isSidecar(one) ? isResized(one, old) : deepEqual(one, old)) return [];
    const rule = isSidecar(one)
      ? 'only cpu and memory resources for sidecar containers are mutable'
      : 'resources for non-sidecar init containers are immutable';
    return [forbidden('spec', rule)];
  });
  return [...mains, ...inits];
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

/** Whether nothing but the CPU and memory differs. */
function isResized(next: Container, previous: Container | undefined): boolean {
  return previous !== undefined && deepEqual(withSizeOf(next, previous), previous);
}

function withResourcesOf(next: PodSpec, previous: PodSpec): PodSpec {
  const inits = next.initContainers?.map((one, i) => {
    const old = previous.initContainers?.[i];
    return old && isSidecar(one) ? withSizeOf(one, old) : one;
  });
  const containers = next.containers.map((one, i) =>
    withSizeOf(one, previous.containers[i] ?? one),
  );
  return { ...next, containers, ...(inits && { initContainers: inits }) };
}

function withSizeOf(next: Container, previous: Container): Container {
  const { resources, ...rest } = next;
  if (!resources && !previous.resources) return next;
  const limits = withAmountsOf(resources?.limits, previous.resources?.limits);
  const requests = withAmountsOf(resources?.requests, previous.resources?.requests);
  return {
    ...rest,
    resources: { ...(limits && { limits }), ...(requests && { requests }) },
  };
}

type Amounts = Readonly<Record<string, string>> | undefined;

function withAmountsOf(next: Amounts, previous: Amounts): Record<string, string> | undefined {
  const { cpu: _, memory: __, ...others } = next ?? {};
  const { cpu, memory } = previous ?? {};
  const merged = {
    ...others,
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
  };
  return Object.keys(merged).length > 0 ? merged : undefined;
}
