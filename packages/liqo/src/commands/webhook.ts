import { startWebhook } from '@liqo/admission';
import { runDisposable } from '@liqo/runtime';
import { describeFlags, parseFlags } from '../flags.ts';
import { parseListener } from '../parse-listener.ts';
import { parseLogLevel } from '../parse-log-level.ts';
import { runManager } from '../run-manager.ts';
import type { Command } from '../surroundings.ts';

const flags = {
  'cluster-id': { type: 'string', help: 'how this cluster is known to its peers' },
  'liqo-namespace': { type: 'string', default: 'liqo', help: 'where this is installed' },
  'webhook-address': { type: 'string', default: ':9443', help: 'where API servers are answered' },
  'health-probe-address': { type: 'string', default: ':8083', help: 'serves /healthz and /readyz' },
  'enable-resource-enforcement': {
    type: 'boolean',
    default: 'false',
    help: 'whether pods of consumers that none of their Quotas can take are refused',
  },
  'log-level': { type: 'string', default: 'info', help: 'debug, info, warn or error' },
} as const;

const name = 'webhook';

/** What the API server of a cluster asks before it stores objects. */
export const webhook: Command = {
  name,
  summary: 'answers the admission webhooks of this cluster',
  help: () => describeFlags(flags),
  async run(args, around) {
    const values = parseFlags(name, flags, args);
    const listener = parseListener(values['webhook-address']);
    const { clock, random, env } = around;
    await runManager(
      {
        name: 'liqo-webhook',
        instance: env.POD_NAME ?? `webhook-${Math.floor(random() * 1e9)}`,
        logLevel: parseLogLevel(values['log-level']),
        health: parseListener(values['health-probe-address']),
        allowInsecurePeers: false,
        runnables: ({ home: client, log }) => [
          runDisposable('webhook', () =>
            startWebhook({
              client,
              clock,
              random,
              log,
              clusterID: values['cluster-id'],
              liqoNamespace: values['liqo-namespace'],
              enforceQuotas: values['enable-resource-enforcement'],
              listener,
            }),
          ),
        ],
      },
      around,
    );
  },
};
