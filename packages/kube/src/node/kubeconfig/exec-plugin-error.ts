import { stripVTControlCharacters } from 'node:util';
import type { ExecPlugin } from './exec-plugin.ts';

/** A plugin gave no credentials. Its standard output, which may hold secrets, is never part of the message. */
export class ExecPluginError extends Error {
  override readonly name = 'ExecPluginError';

  constructor({ command, user }: ExecPlugin, reason: string, options: { cause?: unknown } = {}) {
    const what = `credentials for user "${user}" from exec plugin "${command}"`;
    super(`Cannot get ${what}: ${printable(reason)}`, options);
  }
}

/** A reason may quote the plugin or the kubeconfig, and neither may play with the terminal it is shown on. */
function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, '');
}
