import { formatQuantity, parseQuantity, quantityMilliValue } from '@liqo/kube';
import type {
  Container,
  ContainerPort,
  EnvVar,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  ObjectFieldSelector,
  Probe,
  ResourceRequirements,
} from 'kubernetes-types/core/v1.d.ts';
import { changeEach, changeIn, fillIn } from '../fill-in.ts';

export function defaultContainer(container: Container): Container {
  let complete = fillIn(container, {
    imagePullPolicy: pullPolicyFor(container.image ?? ''),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: {},
  });
  complete = changeEach(complete, 'ports', (port: ContainerPort) =>
    fillIn(port, { protocol: 'TCP' }),
  );
  complete = changeEach(complete, 'env', defaultVariable);
  complete = changeIn(complete, 'resources', roundResources);
  complete = changeIn(complete, 'livenessProbe', defaultProbe);
  complete = changeIn(complete, 'readinessProbe', defaultProbe);
  complete = changeIn(complete, 'startupProbe', defaultProbe);
  return changeIn(complete, 'lifecycle', defaultLifecycle);
}

/** What is always `:latest`, said or unsaid, is always pulled. */
export function pullPolicyFor(image: string): 'Always' | 'IfNotPresent' {
  const [, , , tag, digest] = reference.exec(image) ?? [];
  const isLatest = tag === undefined ? digest === undefined : tag === 'latest';
  return isLatest && reference.test(image) ? 'Always' : 'IfNotPresent';
}

const reference =
  /^((?:[a-zA-Z0-9.-]+(?::[0-9]+)?\/)?([a-z0-9]+(?:[._/-]+[a-z0-9]+)*))(?::([\w][\w.-]{0,127}))?(@[a-zA-Z0-9:+._-]+)?$/;

export function defaultFieldRef(selector: ObjectFieldSelector): ObjectFieldSelector {
  return fillIn(selector, { apiVersion: 'v1' });
}

/** Nobody gets less than a thousandth of something. */
export function roundResources<R extends ResourceRequirements>(resources: R): R {
  return changeIn(changeIn(resources, 'limits', roundAll), 'requests', roundAll);
}

export function roundAll<Q extends Record<string, string>>(quantities: Q): Q {
  const rounded = Object.entries(quantities).map(([name, value]) => [name, roundUp(value)]);
  return Object.fromEntries(rounded) as Q;
}

function roundUp(value: string): string {
  const quantity = parseQuantity(value);
  if (quantity.scale >= -3) return value;
  const { format } = quantity;
  return formatQuantity({ mantissa: quantityMilliValue(quantity), scale: -3, format });
}

type FileKeyRef = { readonly fileKeyRef?: { optional?: boolean } };

function defaultVariable(variable: EnvVar): EnvVar {
  return changeIn(variable, 'valueFrom', (source) => {
    const complete = changeIn(source, 'fieldRef', defaultFieldRef);
    return changeIn(complete as FileKeyRef, 'fileKeyRef', (file) =>
      fillIn(file, { optional: false }),
    ) as typeof source;
  });
}

function defaultProbe(probe: Probe): Probe {
  const complete = fillIn(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  const grpc = changeIn(complete, 'grpc', (action) => fillIn(action, { service: '' }));
  return changeIn(grpc, 'httpGet', defaultHttpGet);
}

function defaultHttpGet(action: HTTPGetAction): HTTPGetAction {
  return fillIn(action, { path: '/', scheme: 'HTTP' });
}

function defaultLifecycle(lifecycle: Lifecycle): Lifecycle {
  const handler = (action: LifecycleHandler) => changeIn(action, 'httpGet', defaultHttpGet);
  return changeIn(changeIn(lifecycle, 'postStart', handler), 'preStop', handler);
}
