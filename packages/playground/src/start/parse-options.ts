import { parseArgs } from 'node:util';
import { PlaygroundError } from './playground-error.ts';

export interface StartOptions {
  readonly help: boolean;
  /** End after the tour. */
  readonly once: boolean;
  /** The consumer first. */
  readonly clusters: readonly string[];
  /** Where the kubeconfigs go; in a folder of their own if it is not said. */
  readonly dir: string | undefined;
  readonly kubernetes: 'embedded' | 'real';
  /** Secrets that are written by hand, in place of a peering. */
  readonly byHand: boolean;
  /** Liqo is installed, and nothing else happens: for guides that peer the clusters themselves. */
  readonly unpeered: boolean;
  /** Providers offer capacity, in place of being asked for it. */
  readonly offers: boolean;
}

const names = ['rome', 'milan', 'turin', 'naples', 'genoa', 'bari', 'trento', 'siena'] as const;
const flags = {
  once: { type: 'boolean' },
  clusters: { type: 'string' },
  dir: { type: 'string' },
  kubernetes: { type: 'string' },
  'by-hand': { type: 'boolean' },
  unpeered: { type: 'boolean' },
  offers: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const exclusive = [
  ['unpeered', 'by-hand'],
  ['offers', 'by-hand'],
  ['offers', 'unpeered'],
  ['offers', 'clusters'],
] as const;

export const usage = `npm start -- [flags]: two clusters that lend each other capacity, to play with

  --once                 end after the tour; without it they stay until Ctrl-C
  --clusters N           how many clusters, from 2 to ${names.length}; ${names[0]} borrows from all others (default 2)
  --dir FOLDER           where the kubeconfigs go, such as ${names[0]}.kubeconfig (default: a folder of their own)
  --kubernetes KIND      embedded, in this process, or real, which needs Linux and root (default embedded)
  --by-hand              no peering: credentials in Secrets that are written by hand, and no quotas
  --unpeered             Liqo is installed in the clusters, and you peer them
  --offers               three providers offer capacity, and ${names[0]} accepts two of the offers
  -h, --help             this text
`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws one error about all that is wrong. */
export function parseOptions(args: readonly string[], env: Environment = {}): StartOptions {
  refuseStolenFlags(env);
  const { values, problems } = readFlags(args);
  const offers = values.has('offers');
  const clusters = values.get('clusters') ?? (offers ? '4' : '2');
  const kubernetes = values.get('kubernetes') ?? 'embedded';
  const dir = values.get('dir');
  if (!isCount(clusters)) {
    problems.push(`"--clusters ${clusters}" is not a number from 2 to ${names.length}`);
  }
  if (!isKubernetes(kubernetes)) {
    problems.push(`"--kubernetes ${kubernetes}" is neither "embedded" nor "real"`);
  }
  for (const [one, other] of exclusive) {
    if (values.has(one) && values.has(other)) {
      problems.push(`"--${one}" and "--${other}" exclude each other`);
    }
  }
  if (dir === '') problems.push('"--dir" is empty');
  if (problems.length > 0 || !isKubernetes(kubernetes)) throw misuse(problems.join('; '));
  return {
    help: values.has('help'),
    once: values.has('once'),
    clusters: names.slice(0, Number(clusters)),
    dir,
    kubernetes,
    byHand: values.has('by-hand'),
    unpeered: values.has('unpeered'),
    offers,
  };
}

function misuse(fact: string): PlaygroundError {
  const hint = 'See the flags there are: npm start -- --help';
  return new PlaygroundError(`Cannot start the playground: ${fact}`, { hint, exitCode: 2 });
}

/** Without two dashes before them, npm takes flags for its own and says so in a variable only. */
function refuseStolenFlags(env: Environment): void {
  const stolen = Object.keys(flags).filter(
    (name) => env[`npm_config_${name.replaceAll('-', '_')}`],
  );
  if (stolen.length === 0) return;
  const list = stolen.map((name) => `--${name}`);
  throw new PlaygroundError(
    `Cannot start the playground: npm kept ${list.join(' and ')} to itself`,
    {
      hint: `Put two dashes before the flags: npm start -- ${list.join(' ')}`,
      exitCode: 2,
    },
  );
}

interface Given {
  readonly values: Map<string, string>;
  readonly problems: string[];
}

function readFlags(args: readonly string[]): Given {
  const { tokens } = parseArgs({ args: [...args], options: flags, strict: false, tokens: true });
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') problems.push(`"${token.value}" is not a flag`);
    if (token.kind !== 'option') continue;
    const problem = problemOf(token, values);
    if (problem) problems.push(problem);
    else values.set(token.name, token.value ?? '');
  }
  return { values, problems };
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function problemOf(token: FlagToken, before: ReadonlyMap<string, string>): string | undefined {
  const { name, rawName, value, inlineValue } = token;
  const flag = Object.entries(flags).find(([known]) => known === name)?.[1];
  if (!flag) return `unknown flag "${rawName}"`;
  if (before.has(name)) return `"${rawName}" is given twice`;
  if (flag.type === 'boolean') {
    return value === undefined ? undefined : `"${rawName}" takes no value`;
  }
  const isNextFlag = !inlineValue && value?.startsWith('--');
  return value === undefined || isNextFlag ? `"${rawName}" needs a value` : undefined;
}

function isCount(text: string): boolean {
  return /^\d$/.test(text) && Number(text) >= 2 && Number(text) <= names.length;
}

function isKubernetes(text: string): text is StartOptions['kubernetes'] {
  return text === 'embedded' || text === 'real';
}
