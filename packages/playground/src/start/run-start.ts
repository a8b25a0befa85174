import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '@liqo/kube';
import { keepAlive } from '@liqo/runtime';
import type { Kubernetes, WorldCluster } from '../kubernetes.ts';
import { listWords } from '../list-words.ts';
import { planSteps } from '../steps.ts';
import { World } from '../world.ts';
import { KubeconfigFiles } from './kubeconfig-files.ts';
import { explainKubectl, findKubectl } from './kubectl.ts';
import { formatSeconds, Narrator, type Output } from './narrator.ts';
import { parseOptions, type StartOptions, usage } from './parse-options.ts';
import { PlaygroundError } from './playground-error.ts';
import { composeScene, type Scene } from './scene.ts';
import { whatToTry } from './what-to-try.ts';

export type UseKubernetes = <C extends WorldCluster<C>>(kubernetes: Kubernetes<C>) => Promise<void>;

export interface Ground {
  readonly kind: StartOptions['kubernetes'];
  /** A folder for everything temporary. */
  readonly scratch: string;
}

/** What the command finds around it: a process of its own, or a test. */
export interface StartSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** When it was typed, by the monotonic clock. */
  readonly startedMs: number;
  /** For the tour. */
  readonly stdout: Output;
  /** For errors. */
  readonly stderr: Output;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Calls `use` with where the clusters come from. */
  readonly provide: (ground: Ground, use: UseKubernetes) => Promise<void>;
  /** Where `npm run kubernetes` puts kubectl, whether or not it has been run. */
  readonly builtKubectl: () => Promise<string>;
  /** A new folder for everything temporary. */
  readonly makeScratch: () => string;
  /** Calls this when the process ends before its time; it may be called more than once. */
  readonly atExit: (cleanUp: () => void) => void;
}

const interruptedExitCode = 130;

/**
 * `npm start`. Resolves with the exit code when nothing is left of it: 0, 1 when a step failed, 2 when it was called
 * wrongly, 130 when the tour was interrupted. It never rejects: this is where errors become words.
 */
export async function runStart(
  args: readonly string[],
  around: StartSurroundings,
): Promise<number> {
  const { stdout, stderr, clock, env, signal } = around;
  const errors = new Narrator(stderr, clock, env);
  try {
    const options = parseOptions(args, env);
    if (options.help) stdout.write(usage);
    else await play(options, new Narrator(stdout, clock, env), around);
    return 0;
  } catch (error) {
    if (signal.aborted) {
      errors.say('Interrupted; nothing is left');
      return interruptedExitCode;
    }
    const { message, hint, exitCode } = explain('start the playground', error);
    errors.say(`${errors.paint('red', '✖')} ${oneParagraph(`${message}. ${hint}`)}`);
    return exitCode;
  }
}

async function play(
  options: StartOptions,
  narrator: Narrator,
  around: StartSurroundings,
): Promise<void> {
  using _ = keepAlive();
  const scratch = around.makeScratch();
  using files = new KubeconfigFiles(options.dir ?? scratch, options.clusters);
  around.atExit(() => files[Symbol.dispose]());
  const scene = composeScene(options.clusters, options);
  await around.provide({ kind: options.kubernetes, scratch }, async (kubernetes) => {
    narrator.say(`${titleOf(scene)}\n`);
    await using world = new World(kubernetes);
    await giveTour(scene, world, { narrator, ...around });
    for (const { name, kubeconfigText } of world.clusters) files.write(name, kubeconfigText);
    if (!options.once) await stay(scene, files, { narrator, ...around });
    narrator.say();
    const words = { name: 'remove everything', done: 'Everything is removed' };
    await narrator.step(words, () => world[Symbol.asyncDispose]());
  });
}

function titleOf({ consumer, providers, unpeered, offers }: Scene): string {
  if (unpeered) return `${listWords([consumer, ...providers])} are not peered`;
  if (offers) return `${listWords(providers)} offer ${consumer} what they have free`;
  return `${consumer} borrows from ${listWords(providers)}`;
}

interface Stage {
  readonly narrator: Narrator;
  readonly clock: Clock;
  readonly startedMs: number;
  readonly signal: AbortSignal;
  readonly env: StartSurroundings['env'];
  readonly builtKubectl: StartSurroundings['builtKubectl'];
}

async function giveTour<C extends WorldCluster<C>>(
  scene: Scene,
  world: World<C>,
  { narrator, clock, startedMs, signal }: Stage,
): Promise<void> {
  for (const step of planSteps<C>(scene)) {
    const work = async () => {
      signal.throwIfAborted();
      await step.run(world, signal);
    };
    await narrator.step(step, work).catch((error: unknown) => {
      throw explain(step.name, error, step.hint);
    });
  }
  const seconds = formatSeconds(clock.monotonicMs() - startedMs);
  narrator.say(`\nAll of it runs, ${seconds} after the start`);
}

/** Until Ctrl-C. */
async function stay(
  scene: Scene,
  files: KubeconfigFiles,
  { narrator, signal, env, builtKubectl }: Stage,
): Promise<void> {
  const { columns } = narrator;
  const kubectl = explainKubectl(await findKubectl(env.PATH, builtKubectl), columns);
  const tries = whatToTry(scene, { kubeconfigOf: (cluster) => files.pathOf(cluster), columns });
  const lines = ['', ...kubectl, ...tries, '', 'Ctrl-C removes everything'];
  for (const line of lines) narrator.say(line);
  if (!signal.aborted) await once(signal, 'abort');
}

const reportHint = 'Try again; if it stays so, please report it with the command you ran';

function explain(doing: string, error: unknown, hint = reportHint): PlaygroundError {
  if (error instanceof PlaygroundError) return error;
  return new PlaygroundError(`Cannot ${doing}: ${reasonOf(error)}`, { hint, cause: error });
}

/** The message and those of its causes. Messages are sentences; here they follow a colon. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error.message.replace(/^[A-Z](?=[a-z]+ )/, (letter) => letter.toLowerCase());
  return error.cause === undefined ? reason : `${reason}: ${reasonOf(error.cause)}`;
}

/** Text of whatever origin as one paragraph: it can neither break lines nor play with the terminal. */
function oneParagraph(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').trim();
}
