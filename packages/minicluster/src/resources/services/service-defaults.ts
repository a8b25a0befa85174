import type { Service } from '@liqo/kube';
import type { LoadBalancerIngress, ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.d.ts';
import { changeEach, changeIn, fillIn } from '../fill-in.ts';
import { isExternallyAccessible } from './service-needs.ts';

const threeHours = 10_800;

export function defaultService(service: Service): Service {
  const complete = changeIn(service, 'spec', defaultSpec);
  if (complete.spec?.type !== 'LoadBalancer') return complete;
  return changeIn(complete, 'status', (status) =>
    changeIn(status, 'loadBalancer', (balancer) => changeEach(balancer, 'ingress', defaultIngress)),
  );
}

function defaultIngress(ingress: LoadBalancerIngress): LoadBalancerIngress {
  return ingress.ip ? fillIn(ingress, { ipMode: 'VIP' }) : ingress;
}

function defaultSpec(spec: ServiceSpec): ServiceSpec {
  const typed = fillIn(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  const complete = fillIn(typed, {
    ...(isExternallyAccessible(typed) && { externalTrafficPolicy: 'Cluster' }),
    ...(typed.type !== 'ExternalName' && { internalTrafficPolicy: 'Cluster' }),
    ...(typed.type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
  });
  return defaultAffinity(changeEach(complete, 'ports', defaultPort));
}

/** The same port inside, unless it says otherwise. */
function defaultPort(port: ServicePort): ServicePort {
  const complete = fillIn(port, { protocol: 'TCP' });
  return complete.targetPort ? complete : { ...complete, targetPort: complete.port };
}

function defaultAffinity(spec: ServiceSpec): ServiceSpec {
  const { sessionAffinityConfig, ...rest } = spec;
  if (spec.sessionAffinity === 'None') return rest;
  if (spec.sessionAffinity !== 'ClientIP') return spec;
  if (sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: threeHours } } };
}
