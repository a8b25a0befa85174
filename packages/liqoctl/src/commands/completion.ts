import { defineCommand } from '../command.ts';
import { completionScripts, isShell, shells } from '../completion/completion-scripts.ts';

export const completion = defineCommand({
  path: ['completion'],
  summary: 'prints the completion script of a shell',
  description:
    'Prints a script that teaches a shell to complete commands, flags and the names of what is in the cluster.',
  examples: [
    'source <(liqoctl completion bash)',
    'liqoctl completion zsh > ~/.zsh/completions/_liqoctl',
    'liqoctl completion fish > ~/.config/fish/completions/liqoctl.fish',
  ],
  operands: { placeholder: 'bash|zsh|fish', least: 1, most: 1, completes: shells },
  flags: {},
  check: ({ operands: [shell = ''] }) =>
    isShell(shell) ? [] : [`"${shell}" is not one of ${shells.join(', ')}`],
  async run({ operands: [shell = ''], print }) {
    if (isShell(shell)) print(completionScripts[shell]);
  },
});
