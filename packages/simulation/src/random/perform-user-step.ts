import {
  fixedNames,
  labels,
  labelValues,
  NamespaceOffloading,
  ShadowPod,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import {
  ApiError,
  type Client,
  Deployment,
  Job,
  jsonPatch,
  keyOf,
  mergePatch,
  Namespace,
  Node,
  Pod,
  Secret,
  type Stored,
} from '@liqo/kube';
import { defaultValues } from '@liqo/manifests';
import { forgeCredentials } from '../world/forge-credentials.ts';
import type { SimulatedWorld } from '../world/simulated-world.ts';
import {
  credentialsOf,
  home,
  namespaces,
  providerOf,
  providers,
  remoteName,
  tenantNamespaceOf,
  virtualNodes,
} from './names.ts';
import type {
  Belonging,
  Container,
  Deletion,
  DeploymentStep,
  NamespaceStep,
  OtherStep,
  RemoteStep,
  SingleStep,
  UserStep,
  VirtualNodeStep,
} from './step.ts';
import type { Strangers } from './strangers.ts';
import { forgeDeployment, forgeJob, forgePod } from './workload.ts';

export interface UserScene {
  readonly world: SimulatedWorld;
  readonly strangers: Strangers;
}

/** Does what somebody wants. What Kubernetes refuses them does not happen. */
export async function performUserStep(scene: UserScene, step: UserStep): Promise<void> {
  try {
    await new UserActions(scene).perform(step);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

class UserActions {
  readonly #scene: UserScene;
  readonly #here: Client;

  constructor(scene: UserScene) {
    this.#scene = scene;
    this.#here = scene.world.cluster(home).admin;
  }

  async perform(step: UserStep): Promise<void> {
    switch (step.type) {
      case 'create-virtual-node':
      case 'delete-virtual-node':
      case 'label-virtual-node':
      case 'taint-virtual-node':
      case 'resize-virtual-node':
      case 'set-create-node':
        return this.#toVirtualNode(step);
      case 'offload':
      case 'unoffload':
      case 'delete-namespace':
        return this.#toNamespace(step);
      case 'deploy':
      case 'scale':
      case 'update':
      case 'undeploy':
        return this.#toDeployment(step);
      case 'run-pod':
      case 'run-job':
      case 'delete-job':
        return this.#toSingle(step);
      case 'delete-remote-pod':
      case 'delete-shadow-pod':
      case 'delete-remote-namespace':
        return this.#overThere(step);
      default:
        return this.#toOthers(step);
    }
  }

  async #toVirtualNode(step: VirtualNodeStep): Promise<void> {
    const key = { namespace: this.#tenantOf(step.node), name: step.node };
    const change = (spec: object) =>
      this.#here.patch(VirtualNode, key, mergePatch({ spec: spec as never }));
    switch (step.type) {
      case 'create-virtual-node':
        await this.#createVirtualNode(step.node);
        return;
      case 'delete-virtual-node':
        await this.#here.delete(VirtualNode, key);
        return;
      case 'label-virtual-node':
        await change({ labels: { colour: step.value } });
        return;
      case 'taint-virtual-node':
        await change({
          taints: [{ key: 'colour', value: step.value, effect: 'PreferNoSchedule' }],
        });
        return;
      case 'resize-virtual-node':
        await change({ resourceQuota: { hard: { cpu: step.cpu, memory: '4Gi', pods: '110' } } });
        return;
      case 'set-create-node':
        await change({ createNode: step.on });
    }
  }

  async #createVirtualNode(name: string): Promise<void> {
    const credentials = { name: credentialsOf(name), user: `${home}-${name}` };
    const clusterID = providerOf(name, this.#scene.world.clusters);
    const namespace = this.#tenantOf(name);
    const secret = forgeCredentials(home, clusterID, credentials);
    const key = { namespace, name: credentials.name };
    if (!(await this.#here.get(Secret, key))) await this.#here.create(Secret, secret);
    await this.#here.create(VirtualNode, {
      metadata: { namespace, name },
      spec: {
        clusterID,
        createNode: true,
        disableNetworkCheck: true,
        kubeconfigSecretRef: { name: credentials.name },
        resourceQuota: { hard: { cpu: '8', memory: '4Gi', pods: '110' } },
      },
    });
  }

  async #toNamespace(step: NamespaceStep): Promise<void> {
    const { namespace } = step;
    const key = { namespace, name: fixedNames.namespaceOffloading };
    if (step.type === 'delete-namespace') {
      await this.#here.delete(Namespace, { name: namespace });
    } else if (step.type === 'unoffload') {
      await this.#here.delete(NamespaceOffloading, key);
    } else {
      await this.#needNamespace(namespace);
      const { naming, pods } = step;
      const chosen = { remoteNamespaceName: remoteName(namespace, naming) };
      await this.#here.create(NamespaceOffloading, {
        metadata: key,
        spec: {
          namespaceMappingStrategy: naming,
          podOffloadingStrategy: pods,
          ...(naming === 'SelectedName' && chosen),
        },
      });
    }
  }

  async #toDeployment(step: DeploymentStep): Promise<void> {
    const { namespace, name } = step;
    const key = { namespace, name };
    switch (step.type) {
      case 'deploy':
        await this.#needNamespace(namespace);
        await this.#here.create(Deployment, forgeDeployment(key, step));
        return;
      case 'scale':
        await this.#here.patch(Deployment, key, mergePatch({ spec: { replicas: step.replicas } }));
        return;
      case 'update': {
        const annotations = { version: String(step.version) };
        const change = { spec: { template: { metadata: { annotations } } } };
        await this.#here.patch(Deployment, key, mergePatch(change));
        return;
      }
      case 'undeploy':
        await this.#here.delete(Deployment, key);
    }
  }

  async #toSingle(step: SingleStep): Promise<void> {
    const { namespace, name } = step;
    const key = { namespace, name };
    if (step.type === 'delete-job') {
      await this.#here.delete(Job, key, { propagationPolicy: 'Background' });
      return;
    }
    await this.#needNamespace(namespace);
    const { world } = this.#scene;
    if (step.type === 'run-pod')
      await world.answer(this.#here.create(Pod, forgePod(key, step.work, step.sidecar)));
    else await this.#here.create(Job, forgeJob(key, step.work));
  }

  #tenantOf(node: string): string {
    return tenantNamespaceOf(node, this.#scene.world.clusters);
  }

  /** Any of the providers. */
  #there(step: RemoteStep): Client {
    const { world } = this.#scene;
    const there = providers.filter((name) => world.clusters.has(name));
    return world.cluster(pick(there, step.pick) ?? providers[0]).admin;
  }

  async #overThere(step: RemoteStep): Promise<void> {
    const there = this.#there(step);
    if (step.type === 'delete-remote-pod') {
      const pods = await there.list(Pod, { labelSelector: ofShadowPods });
      await deletePod(there, pick(pods.items, step.pick), step.how);
    } else if (step.type === 'delete-shadow-pod') {
      const found = pick((await there.list(ShadowPod)).items, step.pick);
      const isOurs = found?.metadata.labels?.[labels.origin] === home;
      if (found && isOurs) await there.delete(ShadowPod, keyOf(found));
    } else {
      const made = {
        labelSelector: `${labels.remoteClusterID}=${home},!${labels.tenantNamespace}`,
      };
      const found = pick((await there.list(Namespace, made)).items, step.pick);
      if (found) await there.delete(Namespace, keyOf(found));
    }
  }

  async #toOthers(step: OtherStep): Promise<void> {
    switch (step.type) {
      case 'delete-pod': {
        const pods = (await this.#here.list(Pod)).items.filter(isOfUser);
        return deletePod(this.#here, pick(pods, step.pick), step.how);
      }
      case 'drain':
        await this.#cordon(step.node, true);
        return this.#evictAll(step.node);
      case 'cordon':
        return this.#cordon(step.node, step.on);
      case 'resize-pod': {
        const pods = (await this.#here.list(Pod)).items.filter(isOfUser);
        return this.#resize(pick(pods, step.pick), step.container, step.cpu);
      }
      case 'set-api-server-support':
        return this.#supportApiServer(step.on);
      case 'put-stranger':
        return this.#scene.strangers.settle(step.stranger);
      case 'take-down':
        return this.#takeDown(step.order);
    }
  }

  async #cordon(name: string, unschedulable: boolean): Promise<void> {
    await this.#here.patch(Node, { name }, mergePatch({ spec: { unschedulable } }));
  }

  /** As `kubectl edit --subresource resize` does. A pod without that container is left alone. */
  async #resize(pod: Stored<Pod> | undefined, container: Container, cpu: string): Promise<void> {
    const field = container === 'main' ? 'containers' : 'initContainers';
    const index = pod?.spec?.[field]?.findIndex(({ name }) => name === container) ?? -1;
    if (!pod || index < 0) return;
    const path = `/spec/${field}/${index}/resources/requests/cpu`;
    const change = jsonPatch([{ op: 'replace', path, value: cpu }]);
    await this.#here.patch(Pod, keyOf(pod), change, { subresource: 'resize' });
  }

  async #supportApiServer(on: boolean): Promise<void> {
    const key = { namespace: defaultValues.namespace, name: fixedNames.defaultVkOptionsTemplate };
    const extraArgs = on ? ['--enable-apiserver-support=true'] : [];
    await this.#here.patch(VkOptionsTemplate, key, mergePatch({ spec: { extraArgs } }));
  }

  async #evictAll(node: string): Promise<void> {
    const pods = await this.#here.list(Pod, { fieldSelector: `spec.nodeName=${node}` });
    for (const pod of pods.items) await this.#here.evict(keyOf(pod)).catch(ignoreRefusal);
  }

  async #takeDown(order: readonly Belonging[]): Promise<void> {
    await this.#scene.strangers.leave();
    for (const what of order) {
      await this.#remove(what);
      await this.#scene.world.pass(2_000);
    }
    await this.#remove('workloads');
  }

  async #remove(what: Belonging): Promise<void> {
    const remove = (deletion: Promise<unknown>) => deletion.catch(ignoreRefusal);
    if (what === 'virtual nodes') {
      for (const name of virtualNodes) {
        const key = { namespace: this.#tenantOf(name), name };
        await remove(this.#here.delete(VirtualNode, key));
      }
    }
    for (const namespace of namespaces) {
      if (what === 'namespaces') await remove(this.#here.delete(Namespace, { name: namespace }));
      if (what === 'offloadings') {
        const key = { namespace, name: fixedNames.namespaceOffloading };
        await remove(this.#here.delete(NamespaceOffloading, key));
      }
      if (what === 'workloads') await this.#removeWorkloads(namespace);
    }
  }

  async #removeWorkloads(namespace: string): Promise<void> {
    for (const kind of [Deployment, Job, Pod] as const) {
      const { items } = await this.#here.list(kind as typeof Pod, { namespace });
      for (const object of items) {
        const options = { propagationPolicy: 'Background' } as const;
        await this.#here.delete(kind as typeof Pod, keyOf(object), options).catch(ignoreRefusal);
      }
    }
  }

  /** With the account that pods need. */
  async #needNamespace(name: string): Promise<void> {
    if (await this.#here.get(Namespace, { name })) return;
    await this.#here.create(Namespace, { metadata: { name } });
    await this.#scene.world.pass(10);
  }
}

const ofShadowPods = `${labels.managedBy}=${labelValues.managedByShadowPod}`;

function isOfUser({ metadata }: Stored<Pod>): boolean {
  return namespaces.some((namespace) => namespace === metadata.namespace);
}

function pick<T>(all: readonly T[], number: number): T | undefined {
  return all.length === 0 ? undefined : all[number % all.length];
}

async function deletePod(
  client: Client,
  pod: Stored<Pod> | undefined,
  how: Deletion,
): Promise<void> {
  if (!pod) return;
  const preconditions = { uid: pod.metadata.uid };
  const force = how === 'forced' && { gracePeriodSeconds: 0 };
  await client.delete(Pod, keyOf(pod), { preconditions, ...force });
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
