import manifest from '../package.json' with { type: 'json' };
import { checkUnused } from './commands/check-unused.ts';
import { controllerManager } from './commands/controller-manager.ts';
import { upgradeKinds } from './commands/upgrade-kinds.ts';
import { virtualKubelet } from './commands/virtual-kubelet.ts';
import { webhook } from './commands/webhook.ts';
import { UsageError } from './flags.ts';
import type { Command, Surroundings } from './surroundings.ts';

const commands: readonly Command[] = [
  controllerManager,
  virtualKubelet,
  webhook,
  upgradeKinds,
  checkUnused,
];
const helpFlags = ['--help', '-h'];

/** `liqo <command> [flags]`. Resolves with the exit code: 0, 1 when it failed, 2 when it was called wrongly. */
export async function runLiqo(args: readonly string[], around: Surroundings): Promise<number> {
  const [name = 'help', ...rest] = args;
  const { stdout, stderr } = around;
  const command = commands.find((one) => one.name === name);
  if (command) return runCommand(command, rest, around);
  if (name === 'help' || helpFlags.includes(name)) {
    stdout.write(`${usage()}\n`);
    return 0;
  }
  if (name === 'version' || name === '--version') {
    stdout.write(`liqo ${manifest.version}\n`);
    return 0;
  }
  stderr.write(`Cannot run "liqo ${name}": there is no such command\n\n${usage()}\n`);
  return 2;
}

async function runCommand(
  command: Command,
  args: readonly string[],
  around: Surroundings,
): Promise<number> {
  if (args.some((arg) => helpFlags.includes(arg))) {
    around.stdout.write(`liqo ${command.name} [flags]: ${command.summary}\n\n${command.help()}\n`);
    return 0;
  }
  try {
    await command.run(args, around);
    return 0;
  } catch (error) {
    around.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function usage(): string {
  const rows = [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ['version', 'says which version this is'] as const,
  ];
  return [
    'liqo <command> [flags]',
    '',
    ...rows.map(([name, summary]) => `  ${name.padEnd(20)} ${summary}`),
    '',
    '"liqo <command> --help" lists the flags of a command',
  ].join('\n');
}
