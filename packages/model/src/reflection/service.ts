import { annotations } from '@liqo/api';
import { type ObjectKey, ownMember, Service, type Stored } from '@liqo/kube';
import { covers } from './compare-reflected.ts';
import { isSkipped } from './is-skipped.ts';
import { chooseOfferedClass, warnOfClass } from './offered-class.ts';
import { planReflection, type ReflectionWarning } from './plan-reflection.ts';
import type { ReflectionRoute } from './reflection-route.ts';

type ServiceSpec = NonNullable<Service['spec']>;
type ServicePort = NonNullable<ServiceSpec['ports']>[number];

/** Fields that mean the same in every cluster. The others are allocated by the cluster, or name addresses of one. */
const copied = [
  'type',
  'selector',
  'externalName',
  'allocateLoadBalancerNodePorts',
  'externalTrafficPolicy',
  'internalTrafficPolicy',
  'ipFamilyPolicy',
  'loadBalancerSourceRanges',
  'publishNotReadyAddresses',
  'sessionAffinity',
  'sessionAffinityConfig',
] as const satisfies readonly (keyof ServiceSpec)[];

const headless = 'None';

export const planService = planReflection<Service>({
  kind: Service,
  atomic: [['spec', 'selector']],
  isSkipped: (local, { policy }) => isApiServer(local.metadata) || isSkipped(local, policy),
  warn: warnOfMissingClass,
  mustReplace: (wanted, remote) => !canBecome(remote.spec ?? {}, wanted.spec ?? {}),
  forge: (local, route, remote) => ({
    spec: {
      ...copyFields(local.spec ?? {}),
      ...forgeClass(local.spec ?? {}, route, remote?.spec),
      ...(local.spec?.clusterIP === headless && { clusterIP: headless }),
      ...(local.spec?.ports && { ports: forgePorts(local, local.spec.ports) }),
    },
  }),
});

function warnOfMissingClass(
  { metadata, spec = {} }: Stored<Service>,
  { wanted: { spec: wanted = {} } }: { wanted: Pick<Service, 'spec'> },
  { providerClusterID }: ReflectionRoute,
): ReflectionWarning | undefined {
  if (spec.type !== 'LoadBalancer') return undefined;
  const classes = { named: spec.loadBalancerClass, chosen: wanted.loadBalancerClass };
  const subject = `Service "${metadata.name}"`;
  return warnOfClass(subject, { what: 'load-balancer', ...classes }, providerClusterID);
}

/** Every cluster has its own. */
export function isApiServer({ namespace, name }: ObjectKey): boolean {
  return namespace === 'default' && name === 'kubernetes';
}

function copyFields(spec: ServiceSpec): ServiceSpec {
  return Object.fromEntries(
    copied.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
  );
}

/** The class of a load balancer never changes: one that the provider has given stays. */
function forgeClass(
  { type, loadBalancerClass: named }: ServiceSpec,
  { offered }: ReflectionRoute,
  remote: ServiceSpec | undefined,
): ServiceSpec {
  if (type !== 'LoadBalancer') return {};
  const current = remote?.type === type ? remote.loadBalancerClass : undefined;
  const classes = offered?.loadBalancerClasses?.map(({ loadBalancerClassName, ...one }) => ({
    ...one,
    name: loadBalancerClassName,
  }));
  const loadBalancerClass = chooseOfferedClass(named, classes ?? [], current);
  return loadBalancerClass === undefined ? {} : { loadBalancerClass };
}

/** Node ports are allocated by the provider: those of the consumer may be in use there. */
function forgePorts({ metadata }: Stored<Service>, ports: readonly ServicePort[]): ServicePort[] {
  const isForced =
    ownMember(metadata.annotations, annotations.forceRemoteNodePort)?.toLowerCase() === 'true';
  return ports.map(({ name, port, targetPort, protocol, appProtocol, nodePort }) => ({
    port,
    ...(name !== undefined && { name }),
    ...(targetPort !== undefined && { targetPort }),
    ...(protocol !== undefined && { protocol }),
    ...(appProtocol !== undefined && { appProtocol }),
    ...(isForced && nodePort !== undefined && { nodePort }),
  }));
}

/** The API server lets a Service become headless, or change its class of load balancer, in a new object only. */
function canBecome(remote: ServiceSpec, wanted: ServiceSpec): boolean {
  if (remote.type === 'ExternalName' || wanted.type === 'ExternalName') return true;
  if ((remote.clusterIP === headless) !== (wanted.clusterIP === headless)) return false;
  if (remote.type !== 'LoadBalancer' || wanted.type !== 'LoadBalancer') return true;
  return covers(remote.loadBalancerClass, wanted.loadBalancerClass);
}
