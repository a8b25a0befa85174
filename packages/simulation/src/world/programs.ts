import { fixedNames } from '@liqo/api';
import type { Client } from '@liqo/kube';
import { startControllers, startReviewer } from '@liqo/liqo';
import { defaultValues } from '@liqo/manifests';
import { serviceAccountGroups, serviceAccountUserName } from '@liqo/minicluster';
import { inOrder, silentLogger, startEventRecorder } from '@liqo/runtime';
import { OwnAddresses, startVirtualKubelet } from '@liqo/virtual-kubelet';
import { clusterKeyOf } from './cluster-key.ts';
import { addressOf, readKubeconfig } from './kubeconfig.ts';
import type { KubeletFlags } from './kubelet-supervisor.ts';
import { refuseExpired } from './refuse-expired.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import type { Life, Program } from './simulated-process.ts';

/** Where a program runs, and whom it may meet there. */
export interface Site {
  /** Of the process. */
  readonly process: string;
  readonly home: SimulatedCluster;
  readonly clusterOf: (name: string) => SimulatedCluster | undefined;
}

const log = silentLogger;
const liqoNamespace = defaultValues.namespace;
const consumerApiServer = { host: 'kubernetes.default', port: '443' };
const drainTimeoutMs = 900_000;

/** What `liqo controller-manager` runs. */
export function controllerManager(site: Site): Program {
  return (life) => {
    const { clock, random } = life;
    const account = { namespace: liqoNamespace, name: 'liqo-controller-manager' };
    const { client, startEvents } = atHome(life, site, account, 'liqo-controller-manager');
    const events = startEvents(client);
    const controllers = startControllers(
      {
        client,
        clusterID: site.home.name,
        liqoNamespace,
        clock,
        random,
        log,
        events,
        connectPeer: peerConnector(life, site),
      },
      {
        podSecurity: 'baseline',
        drainTimeoutMs,
        apiServer: { address: addressOf(site.home.name), ca: '', isTrusted: true },
        newKey: () => clusterKeyOf(site.home.name),
        reservedAddresses: 'allowed',
        enforceQuotas: true,
        limitsEnforcement: 'None',
        defaultClass: { isEnabled: true, resources: { cpu: '4', memory: '8Gi', pods: '110' } },
      },
    );
    return inOrder([controllers, events]);
  };
}

/** What `liqo webhook` runs, but for its certificates, which nothing asks for where there is no network. */
export function webhook(site: Site): Program {
  return (life) => {
    const { clock, random } = life;
    const account = { namespace: liqoNamespace, name: fixedNames.webhook };
    const { client } = atHome(life, site, account, 'liqo-webhook');
    const { reviewer, caches } = startReviewer({
      client,
      clock,
      random,
      log,
      clusterID: site.home.name,
      liqoNamespace,
      enforceQuotas: true,
    });
    const door = site.home.webhooks.open({ reviewer, isUp: () => !clock.frozen });
    return inOrder([{ [Symbol.asyncDispose]: async () => door[Symbol.dispose]() }, ...caches]);
  };
}

/** What `liqo virtual-kubelet` runs, but for the port that nobody asks here. */
export function virtualKubelet(site: Site, flags: KubeletFlags): Program {
  return (life) => {
    const { clock, random, identity } = life;
    const { nodeName, namespace, providerClusterID, kubeconfigSecretName, createNode } = flags;
    const account = { namespace, name: flags.serviceAccountName };
    const { client, startEvents } = atHome(life, site, account, 'virtual-kubelet');
    const addresses = new OwnAddresses({ client, clock, random, log });
    const kubelet = startVirtualKubelet({
      local: client,
      virtualNode: { namespace, name: nodeName },
      kubeconfigSecretName,
      liqoNamespace,
      consumerClusterID: site.home.name,
      providerClusterID,
      clock,
      random,
      log,
      startEvents,
      connectProvider: peerConnector(life, site),
      identity,
      createNode,
      node: { address: '10.0.0.1', extras: { labels: {}, annotations: {} }, checkNetwork: true },
      podWorkers: 32,
      addresses,
      ...(flags.supportsApiServer && { consumerApiServer }),
    });
    return inOrder([kubelet, addresses]);
  };
}

interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** The client of a process in its own cluster, with the rights of its ServiceAccount and no others. */
function atHome(life: Life, { process, home }: Site, account: Account, name: string) {
  const { clock, random, identity: instance } = life;
  const user = serviceAccountUserName(account);
  const groups = serviceAccountGroups(account.namespace);
  const client = life.connect(home.serverFor(process, user, groups), name);
  const reporter = { controller: `liqo.io/${name}`, instance };
  const startEvents = (through: Client) =>
    startEventRecorder({ client: through, clock, random, log, reporter });
  return { client, startEvents };
}

export function peerConnector(
  life: Life,
  { process, clusterOf }: Site,
): (kubeconfig: string) => Promise<Client> {
  return async (text) => {
    const credentials = readKubeconfig(text);
    const { cluster, user, groups } = credentials;
    const provider = clusterOf(cluster);
    if (!provider) throw new Error(`Cannot connect: there is no cluster "${cluster}"`);
    const serve = provider.serverFor(process, user, groups);
    return life.connect(refuseExpired(serve, credentials, provider.clock), user);
  };
}
