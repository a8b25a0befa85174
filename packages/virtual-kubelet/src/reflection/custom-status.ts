import { isConflict, type Kind, type ObjectKey, oneLine, type Stored } from '@liqo/kube';
import {
  type CustomObject,
  isDenial,
  planCustomStatus,
  type ReflectionProblem,
  type ReflectionRoute,
} from '@liqo/model';
import { done, type Outcome, type ReconcileContext, requeueAfter } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import { ObjectPace } from './object-pace.ts';
import { type ReflectionReport, resourceOf } from './reflection-report.ts';

interface CustomStatusOptions {
  readonly context: KubeletContext;
  readonly report: Pick<ReflectionReport, 'note'>;
  readonly kind: Kind<CustomObject>;
}

interface ReflectedPair {
  readonly key: ObjectKey;
  readonly local: Stored<CustomObject> | undefined;
  readonly remote: Stored<CustomObject> | undefined;
  readonly route: ReflectionRoute;
}

/** A status that changes more often is written with its latest content. */
const pace = { burst: 5, refillMs: 1_000 };
/** Another manager gives a field back without an event that says so. */
const askAgainMs = 30_000;

/** Brings the status of copies to their originals. What the consumer refuses is an Event and a condition. */
export class CustomStatus {
  readonly #options: CustomStatusOptions;
  readonly #pace: ObjectPace;

  constructor(options: CustomStatusOptions) {
    this.#options = options;
    this.#pace = new ObjectPace(options.context.clock, pace);
  }

  async takeOver(pair: ReflectedPair, { signal }: ReconcileContext): Promise<Outcome> {
    const { context, kind } = this.#options;
    const { local, remote, route } = pair;
    const step = planCustomStatus(kind, local, remote, route);
    if (step.type === 'nothing' || !local) return done;
    if (step.type === 'refuse') return this.#complain(pair, step);
    const waitMs = this.#pace.take(local.metadata.uid);
    if (waitMs > 0) return requeueAfter(waitMs, 'waiting before the status is written again');
    const { manager: fieldManager, object } = step;
    try {
      await context.local.apply(kind, object, { subresource: 'status', fieldManager, signal });
      return done;
    } catch (error) {
      if (!isDenial(error) && !isConflict(error)) throw error;
      return this.#complain(pair, describeRefusal(pair, kind, error as Error));
    }
  }

  #complain({ key, local }: ReflectedPair, problem: ReflectionProblem): Outcome {
    const { context, report, kind } = this.#options;
    const { reason, message } = problem;
    if (local) {
      const event = { regarding: local, type: 'Warning', reason, action: 'Reflection' } as const;
      context.events.record({ ...event, note: message });
    }
    report.note({ key, resource: resourceOf(kind) }, { reason, message });
    return requeueAfter(askAgainMs, message);
  }
}

function describeRefusal(
  { key, route }: ReflectedPair,
  { kind }: Kind,
  error: Error,
): ReflectionProblem {
  const what = `the status of ${kind} "${key.name}" from provider "${route.providerClusterID}"`;
  const message = oneLine(`Cannot take over ${what}: ${error.message}`);
  return { reason: isConflict(error) ? 'StatusConflict' : 'StatusRefused', message };
}
