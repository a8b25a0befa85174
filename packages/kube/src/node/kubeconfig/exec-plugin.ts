import type { ExecConfig } from './kubeconfig.ts';
import type { Place } from './place.ts';

/** A program that hands out credentials: an exec entry of a user, checked and with its defaults. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
  /** Whether the program wants to talk to the person at the terminal. */
  readonly interactiveMode: InteractiveMode;
  /** The name of the user it is for, and where it is configured. */
  readonly user: string;
  readonly place: Place;
}

type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

const v1 = 'client.authentication.k8s.io/v1';
const v1beta1 = 'client.authentication.k8s.io/v1beta1';

export function execPlugin(exec: ExecConfig, user: string, place: Place): ExecPlugin {
  if (!exec.command) throw place.key('command').problem('is missing; name the program to run');
  return {
    apiVersion: supportedVersion(exec, place.key('apiVersion')),
    command: exec.command,
    args: exec.args ?? [],
    env: environment(exec, place.key('env')),
    installHint: exec.installHint ?? '',
    provideClusterInfo: exec.provideClusterInfo ?? false,
    interactiveMode: interactiveMode(exec, place.key('interactiveMode')),
    user,
    place,
  };
}

function supportedVersion({ apiVersion }: ExecConfig, place: Place): string {
  if (apiVersion === v1 || apiVersion === v1beta1) return apiVersion;
  const found = apiVersion ? `"${apiVersion}" is not supported` : 'is missing';
  throw place.problem(`${found}; use "${v1}" or "${v1beta1}", whichever the plugin speaks`);
}

function environment({ env = [] }: ExecConfig, place: Place): Readonly<Record<string, string>> {
  const variables = env.map(({ name, value = '' }, index) => {
    if (!name) throw place.item(index).key('name').problem('is missing');
    return [name, value];
  });
  return Object.fromEntries(variables);
}

/** The field came with v1, which requires it; the older version goes without. */
function interactiveMode(exec: ExecConfig, place: Place): InteractiveMode {
  const mode = exec.interactiveMode || (exec.apiVersion === v1beta1 ? 'IfAvailable' : '');
  if (mode === 'Never' || mode === 'IfAvailable' || mode === 'Always') return mode;
  const found = mode ? `"${mode}" is not known` : 'is missing';
  throw place.problem(`${found}; use "Never", "IfAvailable" or "Always"`);
}
