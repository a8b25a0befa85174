import type { Pod } from '@liqo/kube';
import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
} from 'kubernetes-types/core/v1.d.ts';
import { changeEach, changeIn, fillIn } from '../fill-in.ts';
import { defaultContainer, roundAll, roundResources } from './container-defaults.ts';
import { defaultVolume } from './volume-defaults.ts';

/** A pod gets more than a template does: what nodes rely on, and templates may still leave open. */
export function defaultPod(pod: Pod): Pod {
  const spec = changeIn(pod, 'spec', (one) => defaultForPod(defaultPodSpec(one)));
  return changeIn(spec, 'status', withMatchingIps);
}

export function defaultPodTemplate(template: PodTemplateSpec): PodTemplateSpec {
  return changeIn(template, 'spec', defaultPodSpec);
}

type PodLevelResources = { readonly resources?: Parameters<typeof roundResources>[0] };

function defaultPodSpec(spec: PodSpec): PodSpec {
  const account = spec.serviceAccountName ?? spec.serviceAccount;
  let complete: PodSpec = fillIn(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    // Two names of one field: what is written to either can be read from both.
    ...(account && { serviceAccountName: account, serviceAccount: account }),
  });
  complete = changeEach(complete, 'volumes', defaultVolume);
  complete = changeEach(complete, 'containers', defaultContainer);
  complete = changeEach(complete, 'initContainers', defaultContainer);
  complete = changeEach(complete, 'ephemeralContainers', defaultEphemeralContainer);
  complete = changeIn(complete, 'overhead', roundAll);
  return changeIn(complete as PodLevelResources, 'resources', roundResources) as PodSpec;
}

function defaultEphemeralContainer(container: EphemeralContainer): EphemeralContainer {
  return defaultContainer(container as Container) as EphemeralContainer;
}

function defaultForPod(spec: PodSpec): PodSpec {
  const complete = fillIn(spec, { enableServiceLinks: true });
  const container = (one: Container) => {
    const requested = withRequests(one);
    return spec.hostNetwork ? withHostPorts(requested) : requested;
  };
  return changeEach(changeEach(complete, 'containers', container), 'initContainers', container);
}

/** Who sets a limit alone wants as much. */
function withRequests(container: Container): Container {
  const { limits, requests } = container.resources ?? {};
  if (!limits) return container;
  return {
    ...container,
    resources: { ...container.resources, requests: { ...limits, ...requests } },
  };
}

function withHostPorts(container: Container): Container {
  return changeEach(container, 'ports', (port: ContainerPort) =>
    fillIn(port, { hostPort: port.containerPort }),
  );
}

/** The one address and the list of addresses agree; where they differ, the one is right. */
function withMatchingIps(status: PodStatus): PodStatus {
  const { podIP, podIPs } = status;
  const first = podIPs?.[0]?.ip;
  if (podIP && podIP !== first) return { ...status, podIPs: [{ ip: podIP }] };
  return first && !podIP ? { ...status, podIP: first } : status;
}
