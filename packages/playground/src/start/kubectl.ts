import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { wrapWords } from './wrap-words.ts';

/** Which kubectl a person has: one on the PATH, the one that `npm run kubernetes` builds at a path, or none yet. */
export type Kubectl =
  | { readonly found: 'on the PATH' }
  | { readonly found: 'built' | 'nowhere'; readonly builtPath: string };

export async function findKubectl(
  path: string | undefined,
  builtKubectl: () => Promise<string>,
): Promise<Kubectl> {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  if (folders.some((folder) => isProgram(join(folder, 'kubectl')))) return { found: 'on the PATH' };
  const builtPath = await builtKubectl();
  return { found: isProgram(builtPath) ? 'built' : 'nowhere', builtPath };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** What a person without kubectl on the PATH has to know before the commands. */
export function explainKubectl(kubectl: Kubectl, columns: number): readonly string[] {
  if (kubectl.found === 'on the PATH') return [];
  const fact =
    kubectl.found === 'built'
      ? 'kubectl is not on your PATH. Use the one that "npm run kubernetes" has built:'
      : 'Most of the commands need kubectl, which is not on your PATH. Install it (https://kubernetes.io/docs/tasks/tools), or let "npm run kubernetes" build it, which takes Go and some minutes, and use that one:';
  return [...wrapWords(fact, columns), `  alias kubectl='${kubectl.builtPath}'`, ''];
}
