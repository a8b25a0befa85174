import { generateClusterKey } from '@liqo/controllers';
import { electionLease } from '@liqo/manifests';
import { fenceClient, inOrder, onlyLeader, runDisposable } from '@liqo/runtime';
import { consumerFlags, readConsumerFlags } from '../consumer-flags.ts';
import { startControllers } from '../controller-manager.ts';
import { describeFlags, parseFlags, UsageError } from '../flags.ts';
import { parseApiServer } from '../parse-api-server.ts';
import { parseListener } from '../parse-listener.ts';
import { parseLogLevel } from '../parse-log-level.ts';
import { runManager } from '../run-manager.ts';
import { readSliceFlags, sliceFlags } from '../slice-flags.ts';
import type { Command } from '../surroundings.ts';

const flags = {
  'cluster-id': { type: 'string', help: 'how this cluster is known to its peers' },
  'liqo-namespace': { type: 'string', default: 'liqo', help: 'where this is installed' },
  'health-probe-address': { type: 'string', default: ':8081', help: 'serves /healthz and /readyz' },
  'metrics-address': {
    type: 'string',
    default: '',
    help: 'serves /metrics, to all callers that can reach it (default: nowhere)',
  },
  'enable-leader-election': {
    type: 'boolean',
    default: 'false',
    help: 'for several replicas of which one works',
  },
  'pod-security-level': {
    type: 'string',
    default: 'baseline',
    help: 'of the namespaces made for consumers: privileged, baseline or restricted',
  },
  'drain-timeout-seconds': {
    type: 'number',
    default: '900',
    help: 'how long the pods of a virtual node that is deleted may take to leave it',
  },
  'allow-insecure-peers': {
    type: 'boolean',
    default: 'false',
    help: 'whether the kubeconfig of a peer may use plain HTTP, no verification, loopback or metadata addresses',
  },
  'api-server-address-override': {
    type: 'string',
    default: '',
    help: 'where consumers reach this API server (default: an address of a control-plane node)',
  },
  'ca-override': {
    type: 'string',
    default: '',
    help: 'base64 of the PEM authorities by which consumers trust it (default: those of this cluster)',
  },
  'trusted-ca': {
    type: 'boolean',
    default: 'false',
    help: 'whether consumers know its authority anyhow and are told none',
  },
  'authentication-enabled': {
    type: 'boolean',
    default: 'true',
    help: 'whether the controllers of Tenants, Identities and ResourceSlices run',
  },
  'offloading-enabled': {
    type: 'boolean',
    default: 'true',
    help: 'whether the controllers of VirtualNodes, NamespaceOffloadings, ShadowPods and offers run',
  },
  'tls-compatibility-mode': {
    type: 'boolean',
    default: 'false',
    help: 'whether the keys of this cluster are made as RSA instead of Ed25519; existing keys stay',
  },
  ...sliceFlags,
  ...consumerFlags,
  'log-level': { type: 'string', default: 'info', help: 'debug, info, warn or error' },
} as const;

const name = 'controller-manager';

/** All controllers of a cluster, as consumer and as provider. */
export const controllerManager: Command = {
  name,
  summary: 'runs the controllers of this cluster',
  help: () => describeFlags(flags),
  async run(args, around) {
    const values = parseFlags(name, flags, args);
    const clusterID = values['cluster-id'];
    const liqoNamespace = values['liqo-namespace'];
    const podSecurity = parsePodSecurity(values['pod-security-level']);
    const drainTimeoutMs = values['drain-timeout-seconds'] * 1000;
    const allowInsecurePeers = values['allow-insecure-peers'];
    const modules = {
      authentication: values['authentication-enabled'],
      offloading: values['offloading-enabled'],
    };
    const keyType = values['tls-compatibility-mode'] ? 'rsa' : 'ed25519';
    const apiServer = parseApiServer(name, values);
    const metricsAddress = values['metrics-address'];
    const slices = readSliceFlags(name, values);
    const consumers = readConsumerFlags(name, values);
    const { clock, random, env } = around;
    await runManager(
      {
        name: 'liqo-controller-manager',
        instance: env.POD_NAME ?? `controller-manager-${Math.floor(random() * 1e9)}`,
        logLevel: parseLogLevel(values['log-level']),
        health: parseListener(values['health-probe-address']),
        metricsServer: metricsAddress ? parseListener(metricsAddress) : 'none',
        allowInsecurePeers,
        ...(values['enable-leader-election'] && {
          leaderElection: { lease: { namespace: liqoNamespace, name: electionLease } },
        }),
        runnables: ({ home, connectPeer, log, metrics, startEvents }) => [
          onlyLeader(
            runDisposable('controllers', (_signal, mayWrite) => {
              const client = fenceClient(home, mayWrite);
              const events = startEvents(client);
              const controllers = startControllers(
                {
                  client,
                  clusterID,
                  liqoNamespace,
                  clock,
                  random,
                  log,
                  metrics,
                  events,
                  connectPeer: async (kubeconfig) =>
                    fenceClient(await connectPeer(kubeconfig), mayWrite),
                },
                {
                  podSecurity,
                  drainTimeoutMs,
                  modules,
                  allowInsecurePeers,
                  apiServer,
                  newKey: () => generateClusterKey(keyType),
                  reservedAddresses: allowInsecurePeers ? 'allowed' : 'forbidden',
                  ...slices,
                  ...consumers,
                },
              );
              return inOrder([controllers, events]);
            }),
          ),
        ],
      },
      around,
    );
  },
};

function parsePodSecurity(text: string): 'privileged' | 'baseline' | 'restricted' {
  if (text === 'privileged' || text === 'baseline' || text === 'restricted') return text;
  throw new UsageError(
    `Cannot run "liqo ${name}": "--pod-security-level=${text}" is not privileged, baseline or restricted`,
  );
}
