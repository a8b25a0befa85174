import { type Client, CustomResourceDefinition, type KubeObject } from '@liqo/kube';
import { waitUntil } from '../cluster/wait-until.ts';
import type { Invocation } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { applyObjects, type Changes, lookAtKinds } from './apply-objects.ts';
import { pruneObjects } from './prune-objects.ts';

type Call = Pick<Invocation<FlagTable>, 'around' | 'progress' | 'signal'>;

/** Writes the kinds, waits until they are served, writes everything else, and removes what is not wanted any more. */
export async function writeObjects(
  call: Call,
  client: Client,
  objects: readonly KubeObject[],
  { namespace, dryRun }: { readonly namespace: string; readonly dryRun: boolean },
): Promise<void> {
  const { progress } = call;
  const isKind = ({ kind }: KubeObject) => kind === CustomResourceDefinition.kind;
  const kinds = objects.filter(isKind);
  const others = objects.filter((object) => !isKind(object));
  if (!dryRun) {
    const hint = 'Run it again: it goes on where it stopped';
    progress.leaves({ what: 'a part of Liqo is installed', hint });
  }
  await applyStep(call, client, { what: 'kinds', objects: kinds, dryRun });
  if (!dryRun) await waitForKinds(call, client, kinds);
  await applyStep(call, client, { what: 'objects', objects: others, dryRun });
  const removed = await pruneObjects(client, others, { namespace, dryRun, signal: call.signal });
  if (removed.length > 0) {
    progress.note(
      `${removed.length} objects ${dryRun ? 'would be ' : ''}removed: ${removed.join(', ')}`,
    );
  }
}

interface Part {
  readonly what: string;
  readonly objects: readonly KubeObject[];
  readonly dryRun: boolean;
}

async function applyStep(
  { progress, signal }: Call,
  client: Client,
  { what, objects, dryRun }: Part,
): Promise<void> {
  const step = {
    doing: `Writing the ${what}`,
    done: (changes: Changes) => describeChanges(what, changes, dryRun),
  };
  const changes = await progress.step(step, () =>
    applyObjects(client, objects, { dryRun, signal }),
  );
  for (const name of changes.changed)
    progress.note(`  ${dryRun ? 'would change' : 'changed'} ${name}`);
  if (!dryRun) return;
  for (const name of changes.created) progress.note(`  would create ${name}`);
}

function describeChanges(what: string, changes: Changes, dryRun: boolean): string {
  const { created, changed, unchanged } = changes;
  const would = dryRun ? 'would be ' : '';
  return `${created.length} ${what} ${would}created, ${changed.length} ${would}changed, ${unchanged.length} as wanted already`;
}

function waitForKinds(call: Call, client: Client, kinds: readonly KubeObject[]): Promise<true> {
  const names = kinds.map(({ metadata }) => metadata?.name ?? '');
  return call.progress.step(
    { doing: 'Waiting for the kinds to be served', done: () => undefined },
    (tell) => {
      const { clock } = call.around;
      const look = (signal: AbortSignal) => lookAtKinds(client, names, signal);
      return waitUntil(look, { clock, timeoutMs: 60_000, tell, signal: call.signal });
    },
  );
}
