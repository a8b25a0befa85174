import {
  kubeconfigSecretName,
  labels,
  type ResourceSlice,
  resourceSliceIdentityName,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import { apiVersionOf, type ObjectKey } from '@liqo/kube';

/** What a person says about a VirtualNode. */
export interface VirtualNodeWishes {
  readonly name: string;
  readonly namespace: string;
  readonly remoteClusterID: string;
  readonly createNode: boolean;
  readonly disableNetworkCheck: boolean;
  readonly kubeconfigSecretName: string;
  readonly resources: Readonly<Record<string, string | number>>;
  /** The first of each is the default. */
  readonly storageClasses: readonly string[];
  readonly ingressClasses: readonly string[];
  readonly loadBalancerClasses: readonly string[];
  /** For the Node. */
  readonly labels: Readonly<Record<string, string>>;
  /** For the pods at the provider. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly runtimeClassName: string | undefined;
  readonly vkOptionsTemplate: ObjectKey | undefined;
  /** For the object itself. */
  readonly globalLabels: Readonly<Record<string, string>>;
  readonly globalAnnotations: Readonly<Record<string, string>>;
}

type Spec = VirtualNode['spec'];

/** The manifest of a VirtualNode, as it is printed and as it is created. */
export function forgeVirtualNode(wishes: VirtualNodeWishes, slice?: ResourceSlice): VirtualNode {
  const mark = { [labels.remoteClusterID]: wishes.remoteClusterID };
  const { globalAnnotations, vkOptionsTemplate } = wishes;
  const patch = offloadingPatch(wishes, slice);
  return {
    apiVersion: apiVersionOf(VirtualNode),
    kind: VirtualNode.kind,
    metadata: {
      name: wishes.name,
      namespace: wishes.namespace,
      labels: { ...wishes.globalLabels, ...mark },
      ...(!isEmpty(globalAnnotations) && { annotations: { ...globalAnnotations } }),
    },
    spec: {
      clusterID: wishes.remoteClusterID,
      createNode: wishes.createNode,
      disableNetworkCheck: wishes.disableNetworkCheck,
      kubeconfigSecretRef: { name: wishes.kubeconfigSecretName },
      labels: { ...slice?.status?.nodeLabels, ...wishes.labels, ...mark },
      resourceQuota: { hard: { ...slice?.status?.resources, ...wishes.resources } },
      ...classes(wishes, slice),
      ...(!isEmpty(patch) && { offloadingPatch: patch }),
      ...(vkOptionsTemplate && { vkOptionsTemplateRef: templateRef(vkOptionsTemplate) }),
    },
    status: {},
  };
}

/** The Secret that a slice has its kubeconfig in. */
export function sliceSecretName(sliceName: string): string {
  return kubeconfigSecretName(resourceSliceIdentityName(sliceName));
}

/** Those that are named, or else those that the provider lends with the slice. */
function classes(wishes: VirtualNodeWishes, slice: ResourceSlice | undefined): Partial<Spec> {
  const { storageClasses, ingressClasses, loadBalancerClasses } = slice?.status ?? {};
  const chosen = {
    storageClasses: named(wishes.storageClasses, 'storageClassName') ?? storageClasses,
    ingressClasses: named(wishes.ingressClasses, 'ingressClassName') ?? ingressClasses,
    loadBalancerClasses:
      named(wishes.loadBalancerClasses, 'loadBalancerClassName') ?? loadBalancerClasses,
  };
  return Object.fromEntries(
    Object.entries(chosen).filter(([, list]) => list !== undefined && list.length > 0),
  );
}

function named<Key extends string>(names: readonly string[], key: Key) {
  if (names.length === 0) return undefined;
  return names.map((name, index) => ({
    ...({ [key]: name } as Record<Key, string>),
    ...(index === 0 && { default: true }),
  }));
}

function offloadingPatch(
  { nodeSelector, runtimeClassName }: VirtualNodeWishes,
  slice: ResourceSlice | undefined,
): NonNullable<Spec['offloadingPatch']> {
  const selector = { ...slice?.status?.nodeSelector, ...nodeSelector };
  return {
    ...(!isEmpty(selector) && { nodeSelector: selector }),
    ...(runtimeClassName !== undefined && { runtimeClassName }),
  };
}

function templateRef({ namespace, name }: ObjectKey): NonNullable<Spec['vkOptionsTemplateRef']> {
  const { kind } = VkOptionsTemplate;
  const apiVersion = apiVersionOf(VkOptionsTemplate);
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) };
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}
