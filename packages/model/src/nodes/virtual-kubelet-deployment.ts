import {
  labels,
  labelValues,
  type VirtualNode,
  type VkOptionsTemplate,
  virtualKubeletName,
} from '@liqo/api';
import type { Deployment, Pod, Stored } from '@liqo/kube';
import { templateProblems, usedFields } from '../kubelet-template/template-problems.ts';
import { containerSecurity, podSecurity } from '../kubelet-template/template-security.ts';
import { flagName, mergeFlags } from './flags.ts';
import { forgeArguments, type HomeCluster, undecided } from './virtual-kubelet-arguments.ts';

type PodSpec = NonNullable<NonNullable<Deployment['spec']>['template']['spec']>;
type Container = PodSpec['containers'][number];

const containerName = 'virtual-kubelet';
const kubeletPort = 10250;

/**
 * The Deployment of the virtual kubelet of a virtual node. It follows the VirtualNode and the options: whatever is changed
 * there reaches it. What the VirtualNode says in its own template wins, as far as `refuseTemplate` allows it.
 */
export function forgeVirtualKubelet(
  virtualNode: Stored<VirtualNode>,
  options: VkOptionsTemplate,
  home: HomeCluster,
): Deployment {
  const { namespace, name } = virtualNode.metadata;
  const own = virtualNode.spec.template;
  const marks = selectorLabels(virtualNode);
  const { extraLabels, extraAnnotations, replicas } = options.spec;
  const podTemplate = own?.spec?.template;
  return {
    metadata: {
      name: virtualKubeletName(name),
      ...(namespace !== undefined && { namespace }),
      labels: { ...extraLabels, ...own?.metadata?.labels, [labels.managed]: 'true', ...marks },
      annotations: { ...extraAnnotations, ...own?.metadata?.annotations },
    },
    spec: {
      replicas: own?.spec?.replicas ?? replicas ?? 1,
      selector: { matchLabels: marks },
      template: {
        metadata: {
          labels: { ...extraLabels, ...podTemplate?.metadata?.labels, ...marks },
          annotations: { ...extraAnnotations, ...podTemplate?.metadata?.annotations },
        },
        spec: forgePodSpec(virtualNode, options, home),
      },
    },
  };
}

/** What finds the Deployment and the pods of a virtual node. */
function selectorLabels({ metadata, spec }: Stored<VirtualNode>): Record<string, string> {
  return {
    [labels.component]: labelValues.virtualKubelet,
    [labels.remoteClusterID]: spec.clusterID ?? '',
    [labels.virtualNode]: metadata.name,
  };
}

function forgePodSpec(
  virtualNode: Stored<VirtualNode>,
  options: VkOptionsTemplate,
  home: HomeCluster,
): PodSpec {
  const { imagePullSecrets = [], tolerations = [] } = options.spec;
  const own = virtualNode.spec.template?.spec?.template?.spec;
  const { containers: _, securityContext, ...others } = usedFields('spec.template.spec', own);
  return {
    ...(imagePullSecrets.length > 0 && {
      imagePullSecrets: imagePullSecrets.flatMap(({ name }) => (name ? [{ name }] : [])),
    }),
    ...(tolerations.length > 0 && { tolerations: [...tolerations] }),
    ...others,
    securityContext: { ...(securityContext as PodSpec['securityContext']), ...podSecurity },
    serviceAccountName: virtualNode.metadata.name,
    containers: [mergeContainer(forgeContainer(virtualNode, options, home), own?.containers?.[0])],
  };
}

function forgeContainer(
  virtualNode: Stored<VirtualNode>,
  options: VkOptionsTemplate,
  home: HomeCluster,
): Container {
  const { containerImage, pullPolicy, resources } = options.spec;
  const field = (name: string, fieldPath: string) => ({
    name,
    valueFrom: { fieldRef: { fieldPath } },
  });
  return {
    name: containerName,
    image: containerImage,
    ...(pullPolicy && { imagePullPolicy: pullPolicy }),
    command: ['/usr/bin/liqo', 'virtual-kubelet'],
    args: forgeArguments(virtualNode, options, home),
    env: [
      field('POD_IP', 'status.podIP'),
      field('POD_NAME', 'metadata.name'),
      field('POD_NAMESPACE', 'metadata.namespace'),
      { name: 'VIRTUALNODE_NAME', value: virtualNode.metadata.name },
    ],
    ports: forgePorts(options),
    ...(resources && { resources: resources as NonNullable<Container['resources']> }),
    securityContext: containerSecurity,
  };
}

function forgePorts({ spec }: VkOptionsTemplate): NonNullable<Container['ports']> {
  const metricsPort = Number(spec.metricsAddress?.split(':').at(-1));
  const hasMetrics = spec.metricsEnabled && Number.isInteger(metricsPort) && metricsPort > 0;
  return [
    { name: 'kubelet', containerPort: kubeletPort, protocol: 'TCP' },
    ...(hasMetrics ? [{ name: 'metrics', containerPort: metricsPort, protocol: 'TCP' }] : []),
  ];
}

function mergeContainer(rendered: Container, own: Container | undefined): Container {
  if (!own) return rendered;
  const { args: _, securityContext, ...others } = usedFields('spec.template.spec.containers', own);
  return {
    ...rendered,
    ...others,
    args: mergeFlags(rendered.args ?? [], undecided(own.args ?? [])),
    securityContext: { ...(securityContext as Container['securityContext']), ...containerSecurity },
  };
}

/** Why the template of a VirtualNode is refused; undefined if a virtual kubelet may be made of it. */
export function refuseTemplate(
  virtualNode: Stored<VirtualNode>,
  options: VkOptionsTemplate,
  home: HomeCluster,
): string | undefined {
  const problems = templateProblems(virtualNode.spec.template, {
    name: virtualNode.metadata.name,
    options: options.spec,
    args: forgeArguments(virtualNode, options, home),
  });
  return problems.length > 0 ? problems.join('; ') : undefined;
}

/** Whether a virtual kubelet gives pods at the provider tokens of this cluster. */
export function issuesTokens({ spec }: Deployment): boolean {
  return isToldTo('--enable-apiserver-support', spec?.template.spec?.containers);
}

/** Whether a virtual kubelet that runs makes a Node. */
export function makesNode({ spec }: Pod): boolean {
  return isToldTo('--create-node', spec?.containers);
}

function isToldTo(flag: string, containers: readonly Container[] = []): boolean {
  const args = containers.flatMap((container) => container.args ?? []);
  const said = args.findLast((arg) => flagName(arg) === flag);
  return said !== undefined && !/=(false|f|0)$/i.test(said);
}
