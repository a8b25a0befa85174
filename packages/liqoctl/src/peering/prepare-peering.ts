import { fixedNames } from '@liqo/api';
import type { Client, Clock } from '@liqo/kube';
import type { StepReport } from '../output/progress.ts';
import { silentReport } from '../output/silent-report.ts';
import type { Peering } from './peering.ts';
import type { PeeringSide } from './peering-side.ts';
import { Traces } from './traces.ts';

/** One of the clusters, with the rights of an administrator or, for the provider, of a peering user. */
export interface PeeringCluster {
  readonly client: Client;
  readonly clusterID: string;
  /** Where Liqo is installed, if not in "liqo". */
  readonly liqoNamespace?: string;
  /** The name for its tenant namespace if it does not exist yet, in place of the usual one. */
  readonly tenantNamespace?: string | undefined;
}

export interface PeeringParts {
  readonly consumer: PeeringCluster;
  readonly provider: PeeringCluster;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Of everything that is done with it. */
  readonly timeoutMs?: number;
  /** Told of each step; without it nothing is. */
  readonly report?: StepReport;
  /** What a person does next if it ends before its time. */
  readonly hint?: string;
  readonly suggest?: Peering['suggest'];
}

const defaultTimeoutMs = 120_000;

/** Two clusters to be given to `peer()`, `authenticate()` and their opposites. Nothing is sent. */
export function preparePeering(parts: PeeringParts): Peering {
  const { clock, signal, timeoutMs = defaultTimeoutMs, report = silentReport } = parts;
  return {
    consumer: { ...sideOf(parts.consumer), where: 'local' },
    provider: { ...sideOf(parts.provider), where: 'remote' },
    progress: report,
    traces: new Traces(report, parts.hint ?? 'Run it again to go on'),
    clock,
    signal,
    endsMs: clock.monotonicMs() + timeoutMs,
    suggest: parts.suggest ?? { both: spell, consumer: spell, provider: spell },
  };
}

function sideOf({
  liqoNamespace = fixedNames.liqoNamespace,
  ...cluster
}: PeeringCluster): PeeringSide {
  return { ...cluster, liqoNamespace };
}

function spell(command: string): string {
  return `liqoctl ${command}`;
}
