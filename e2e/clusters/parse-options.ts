import { parseArgs } from 'node:util';
import { PlaygroundError } from '../../packages/playground/src/start/playground-error.ts';

export interface ClustersOptions {
  readonly help: boolean;
  /** Of each cluster. */
  readonly nodes: number;
  /** Archives of images that every node gets. */
  readonly images: readonly string[];
  /** Where the kubeconfigs go; undefined for the folders of the clusters. */
  readonly dir: string | undefined;
}

/** Two clusters of more nodes than this need more memory than a machine for tests has. */
const mostNodes = 8;

const flags = {
  image: { type: 'string', multiple: true },
  dir: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const usage = `npm run clusters -- [NODES] [flags]: two whole clusters, "rome" and "milan", until Ctrl-C

  NODES             nodes of each cluster, from 1 to ${mostNodes} (default 1)
  --image FILE      an archive of an image, such as dist/liqo-image.tar of "npm run image", for all nodes; may be repeated
  --dir FOLDER      where rome.kubeconfig and milan.kubeconfig go; pods of rome reach the server that the second one names
  -h, --help        this text
`;

/** Throws one error about everything that is wrong. */
export function parseOptions(args: readonly string[]): ClustersOptions {
  const { tokens } = parseArgs({ args: [...args], options: flags, strict: false, tokens: true });
  const problems: string[] = [];
  const counts: string[] = [];
  const values = { image: [] as string[], dir: [] as string[], help: [] as string[] };
  for (const token of tokens) {
    if (token.kind === 'positional') counts.push(token.value);
    if (token.kind !== 'option') continue;
    const problem = problemOf(token);
    if (problem) problems.push(problem);
    else values[token.name as keyof typeof values].push(token.value ?? '');
  }
  const wrongCounts = counts.filter((count) => !isNodeCount(count));
  problems.push(
    ...wrongCounts.map((count) => `"${count}" is not a number of nodes from 1 to ${mostNodes}`),
  );
  if (counts.length > 1) problems.push('there is more than one number of nodes');
  if (values.dir.length > 1) problems.push('"--dir" is given twice');
  if (problems.length > 0) throw misuse(problems.join('; '));
  return {
    help: values.help.length > 0,
    nodes: Number(counts[0] ?? 1),
    images: values.image,
    dir: values.dir[0],
  };
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function problemOf({ name, rawName, value, inlineValue }: FlagToken): string | undefined {
  if (!Object.hasOwn(flags, name)) return `unknown flag "${rawName}"`;
  if (name === 'help') return value === undefined ? undefined : `"${rawName}" takes no value`;
  const isNextFlag = !inlineValue && value?.startsWith('-');
  return !value || isNextFlag ? `"${rawName}" needs a value` : undefined;
}

function isNodeCount(text: string): boolean {
  return /^\d$/.test(text) && Number(text) >= 1 && Number(text) <= mostNodes;
}

function misuse(fact: string): PlaygroundError {
  const hint = 'See the arguments there are: npm run clusters -- --help';
  return new PlaygroundError(`Cannot start the clusters: ${fact}`, { hint, exitCode: 2 });
}
