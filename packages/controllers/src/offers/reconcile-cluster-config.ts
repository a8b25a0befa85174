import { ClusterConfig, fixedNames } from '@liqo/api';
import { type Client, keyOf, mergePatch, type ObjectKey, type Stored } from '@liqo/kube';
import { judgeClusterConfig, keepValidConfig } from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Outcome,
  type ReconcileContext,
} from '@liqo/runtime';

interface ClusterConfigContext {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly configs: CachedReader<ClusterConfig>;
}

/** Notes down a valid configuration, and reports one that is malformed, or has a name that does not count. */
export class ClusterConfigReconciler {
  readonly #context: ClusterConfigContext;

  constructor(context: ClusterConfigContext) {
    this.#context = context;
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const { client, configs } = this.#context;
    const config = configs.get(key);
    if (!config) return done;
    if (key.name !== fixedNames.clusterConfig) {
      this.#warn(config, 'IgnoredConfiguration', `Only "${fixedNames.clusterConfig}" counts`);
      return done;
    }
    const { inForce, problem } = judgeClusterConfig(config);
    if (problem !== undefined) {
      const rest = inForce
        ? 'The last valid configuration stays in force'
        : 'No configuration is in force';
      this.#warn(config, 'InvalidConfiguration', `${problem}. ${rest}`);
      return done;
    }
    const annotations = keepValidConfig(config);
    if (!annotations) return done;
    const { resourceVersion } = config.metadata;
    const patch = mergePatch({ metadata: { resourceVersion, annotations } });
    await client.patch(ClusterConfig, keyOf(config), patch, signal);
    return done;
  }

  #warn(regarding: Stored<ClusterConfig>, reason: string, note: string): void {
    this.#context.events.record({
      regarding,
      type: 'Warning',
      reason,
      action: 'Configuring',
      note,
    });
  }
}
