import { ownMember, type Transport } from '@liqo/kube';
import { type Cluster, type ClusterChoice, connectCluster } from './cluster/connect-cluster.ts';
import { reportingTransport } from './cluster/report-requests.ts';
import { type Stamp, stampingTransport, stampMetadata } from './cluster/stamp-metadata.ts';
import type { Command, Invocation } from './command.ts';
import { commands } from './commands.ts';
import { insteadOf } from './commands-of-liqo.ts';
import { completeCommandLine } from './completion/complete-command-line.ts';
import { explain, type Where } from './explain.ts';
import { type Found, findCommand } from './find-command.ts';
import type { FlagTable, FlagValues } from './flags/flag.ts';
import { globalFlags } from './flags/global-flags.ts';
import { givenFlags, parseFlags } from './flags/parse-flags.ts';
import { connectionFlags } from './flags/shared-flags.ts';
import { describeCommand, describeGroup, usageOf } from './help.ts';
import { describeFailure } from './output/describe-failure.ts';
import { painter } from './output/paint.ts';
import { Progress } from './output/progress.ts';
import { asStarted } from './program-name.ts';
import { suggestCommand } from './suggest-command.ts';
import { Interruption, type Surroundings } from './surroundings.ts';
import { UserError } from './user-error.ts';

/** Asked by the completion scripts, not by people. */
const completionRequest = '__complete';

/**
 * `liqoctl <command> [flags]`. Resolves with the exit code: 0, 1 when it failed, 2 when it was called wrongly, 130 when it
 * was interrupted. It never rejects: this is where errors become words.
 */
export async function runLiqoctl(
  args: readonly string[],
  { stderr, ...others }: Surroundings,
): Promise<number> {
  const { program } = others;
  const write = (text: string) => stderr.write(asStarted(text, program));
  const around: Surroundings = { ...others, stderr: { ...stderr, write } };
  const paint = painter(around.stderr, around.env);
  const progress = new Progress({ stderr: around.stderr, clock: around.clock, paint });
  try {
    await dispatch(args, progress, around);
    return 0;
  } catch (error) {
    const { signal } = around;
    const failure = signal.aborted ? interruption(progress) : explain('do that', error);
    around.stderr.write(describeFailure(failure, paint('red', '✖')));
    if (signal.reason instanceof Interruption) return signal.reason.exitCode;
    return failure.blame === 'usage' ? 2 : 1;
  }
}

async function dispatch(
  args: readonly string[],
  progress: Progress,
  around: Surroundings,
): Promise<void> {
  const print = (text: string) => {
    around.stdout.write(text);
  };
  if (args[0] === completionRequest) {
    const words = await completeCommandLine(commands, args.slice(1), around);
    return print(words.map((word) => `${word}\n`).join(''));
  }
  if (args.length === 1 && args[0] === '--version') {
    return dispatch(['version', '--client'], progress, around);
  }
  const isHelp = args[0] === 'help';
  const found = findCommand(commands, isHelp ? args.slice(1) : args);
  const printHelp = (text: string) => print(asStarted(text, around.program));
  if (found.type !== 'command') return describeOrRefuse(found, { args, isHelp, print: printHelp });
  const { command, rest } = found;
  if (isHelp || wantsHelp(rest, command)) return printHelp(describeCommand(command));
  await runCommand(command, rest, { progress, around, print });
}

interface GroupCall {
  readonly args: readonly string[];
  readonly isHelp: boolean;
  readonly print: (text: string) => void;
}

/** Without any word, or with --help, the commands are listed; anything else is no command. */
function describeOrRefuse(found: Exclude<Found, { type: 'command' }>, call: GroupCall): void {
  const { args, isHelp, print } = call;
  const asked = ['liqoctl', ...found.path].join(' ');
  const hint = `"${asked} --help" lists the commands`;
  if (found.type === 'unknown') {
    const { word, didYouMean } = found;
    const instead = insteadOf(found.path, word);
    if (instead !== undefined) {
      const fact = 'it is a command of Liqo v1.2 that this version does not have yet';
      const options = { hint: instead, blame: 'usage' } as const;
      throw new UserError(`Cannot run "${asked} ${word}": ${fact}`, options);
    }
    const likely = didYouMean ? ` (did you mean "${didYouMean}"?)` : '';
    const message = `Cannot run "${asked} ${word}": there is no such command${likely}`;
    throw new UserError(message, { hint, blame: 'usage' });
  }
  const { problems, values } = parseFlags(args, globalFlags);
  if (isHelp || values.help || args.length === 0) {
    print(describeGroup(commands, found.path));
    return;
  }
  const [problem = `it needs one more word, such as ${exampleAfter(found.path)}`] = problems;
  throw new UserError(`Cannot run "${asked}": ${problem}`, { hint, blame: 'usage' });
}

function exampleAfter(path: readonly string[]): string {
  const command = commands.find((one) => one.path[0] === path[0]);
  return `"${command?.path.at(-1) ?? ''}"`;
}

function wantsHelp(rest: readonly string[], command: Command): boolean {
  return givenFlags(rest, { ...globalFlags, ...command.flags }).has('help');
}

async function runCommand(
  command: Command,
  rest: readonly string[],
  io: Pick<Invocation<FlagTable>, 'progress' | 'around' | 'print'>,
): Promise<void> {
  const table = { ...globalFlags, ...command.flags };
  const { words: operands, values, problems } = parseFlags(rest, table);
  const said = {
    operands,
    flags: values as Invocation<FlagTable>['flags'],
    given: givenFlags(rest, table),
  };
  const faults = [...problems, ...countFaults(command, operands)];
  refuse(command, faults.length > 0 ? faults : command.check(said));
  const { around, progress } = io;
  const [choice, remoteChoice] = [chosen(values, ''), chosen(values, 'remote-')];
  const globals = values as FlagValues<typeof globalFlags>;
  const stamp = { labels: globals['global-labels'], annotations: globals['global-annotations'] };
  const wrap = wrapperOf(globals, stamp, io);
  const connections = new Map<Where, Promise<Cluster>>();
  const connect = (where: Where, chosen: ClusterChoice) => {
    const onMessage = (text: string) => progress.warn(text);
    const known = connections.get(where);
    const connecting = known ?? connectCluster(chosen, { ...around, where, onMessage, wrap });
    connections.set(where, connecting);
    return connecting;
  };
  try {
    await command.run({
      ...said,
      ...io,
      signal: around.signal,
      connect: () => connect('local', choice),
      connectRemote: () => connect('remote', remoteChoice),
      stamp: (object) => stampMetadata(object, stamp),
      suggest: (line) => suggestCommand(line, choice),
      suggestRemote: (line) => suggestCommand(line, remoteChoice),
      suggestBoth: (line) => suggestCommand(line, choice, remoteChoice),
    });
  } finally {
    for (const connecting of connections.values()) {
      const cluster = await connecting.catch(() => undefined);
      await cluster?.client[Symbol.asyncDispose]();
    }
  }
}

/** What the global flags do to every request. */
function wrapperOf(
  said: FlagValues<typeof globalFlags>,
  stamp: Stamp,
  { around, progress }: Pick<Invocation<FlagTable>, 'around' | 'progress'>,
): (transport: Transport) => Transport {
  const { clock } = around;
  const report = (line: string) => progress.note(line);
  const isEmpty = Object.values(stamp).every((entries) => Object.keys(entries).length === 0);
  return (transport) => {
    const stamping = isEmpty ? transport : stampingTransport(transport, stamp);
    return said.verbose ? reportingTransport(stamping, { clock, report }) : stamping;
  };
}

function refuse(command: Command, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const name = ['liqoctl', ...command.path].join(' ');
  const hint = `"${name} --help" says how it is used: ${usageOf(command)}`;
  throw new UserError(`Cannot run "${name}": ${faults.join('; ')}`, { hint, blame: 'usage' });
}

function countFaults({ operands }: Command, words: readonly string[]): readonly string[] {
  const { placeholder, least, most } = operands;
  const surplus = words.slice(most).map((word) => `"${word}"`);
  if (surplus.length > 0) return [`it takes no ${surplus.join(' or ')}`];
  return words.length < least ? [`it needs a ${placeholder}`] : [];
}

function chosen(values: Readonly<Record<string, unknown>>, prefix: '' | 'remote-'): ClusterChoice {
  const names = Object.keys(connectionFlags);
  const entries = names.map((name) => [name, ownMember(values, `${prefix}${name}`)]);
  return Object.fromEntries(entries) as ClusterChoice;
}

function interruption({ doing, leftover }: Progress): UserError {
  const when = doing ? ` while ${doing[0]?.toLowerCase()}${doing.slice(1)}` : '';
  const { what, hint } = leftover ?? { what: 'nothing was changed', hint: 'Run it again to do it' };
  return new UserError(`Interrupted${when}: ${what}`, { hint });
}
