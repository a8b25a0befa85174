import { checkDnsLabel, checkLabelValue } from '@liqo/kube';
import type { Flag, FlagTable } from './flag.ts';

/** Which cluster, and as whom: of every command that talks to one. Spelled as kubectl spells them. */
export const connectionFlags = {
  kubeconfig: {
    type: 'text',
    value: 'FILE',
    completes: 'files',
    help: 'the kubeconfig to use, in place of $KUBECONFIG or ~/.kube/config',
  },
  context: {
    type: 'text',
    value: 'NAME',
    completes: 'contexts',
    help: 'the context of the kubeconfig to use',
  },
  cluster: {
    type: 'text',
    value: 'NAME',
    completes: 'clusters',
    help: 'the cluster of the kubeconfig to use',
  },
  user: {
    type: 'text',
    value: 'NAME',
    completes: 'users',
    help: 'the user of the kubeconfig to be',
  },
} as const satisfies FlagTable;

/** The same for the other cluster of a command that talks to two: `--remote-kubeconfig` and so on. */
export const remoteConnectionFlags = {
  'remote-kubeconfig': {
    type: 'text',
    value: 'FILE',
    completes: 'files',
    help: 'the kubeconfig of the remote cluster, in place of $KUBECONFIG or ~/.kube/config',
  },
  'remote-context': {
    type: 'text',
    value: 'NAME',
    help: 'the context of the remote kubeconfig to use',
  },
  'remote-cluster': {
    type: 'text',
    value: 'NAME',
    help: 'the cluster of the remote kubeconfig to use',
  },
  'remote-user': {
    type: 'text',
    value: 'NAME',
    help: 'the user of the remote kubeconfig to be',
  },
} as const satisfies FlagTable;

/** The kubeconfig alone may name two clusters, so any of these flags says which one is meant. */
export function checkRemoteChosen(given: ReadonlySet<string>): readonly string[] {
  const isChosen = Object.keys(remoteConnectionFlags).some((name) => given.has(name));
  return isChosen ? [] : ['it needs "--remote-kubeconfig" or "--remote-context"'];
}

export const helpFlag = {
  help: {
    type: 'boolean',
    short: 'h',
    help: 'says how the command is used, and does nothing else',
  },
} as const satisfies FlagTable;

export const dryRunFlag = {
  'dry-run': {
    type: 'boolean',
    help: 'has the cluster check everything, and changes nothing',
  },
} as const satisfies FlagTable;

export const skipConfirmFlag = {
  'skip-confirm': {
    type: 'boolean',
    short: 'y',
    help: 'does not ask before something is removed',
  },
} as const satisfies FlagTable;

/** What every object that is made gets on top. */
export const globalMetadataFlags = {
  'global-labels': {
    type: 'map',
    value: 'KEY=VALUE,…',
    check: checkLabelValue,
    help: 'labels for everything it makes',
  },
  'global-annotations': {
    type: 'map',
    value: 'KEY=VALUE,…',
    help: 'annotations for everything it makes',
  },
} as const satisfies FlagTable;

export const watchFlag = {
  watch: {
    type: 'boolean',
    short: 'w',
    help: 'goes on showing it, whenever it changes, until Ctrl-C',
  },
} as const satisfies FlagTable;

export function namespaceFlag(help: string) {
  return {
    namespace: {
      type: 'text',
      short: 'n',
      value: 'NAME',
      check: checkDnsLabel,
      completes: 'namespaces',
      help,
    },
  } as const satisfies FlagTable;
}

/** As kubectl has it: what lists is not limited to one namespace anyhow. */
export const allNamespacesFlag = {
  'all-namespaces': {
    type: 'boolean',
    short: 'A',
    help: 'those of all namespaces, as without "--namespace"',
  },
} as const satisfies FlagTable;

/** The same of what deletes by name. */
export const soughtInAllNamespacesFlag = {
  'all-namespaces': {
    ...allNamespacesFlag['all-namespaces'],
    help: 'seeks the names in all namespaces, as without "--namespace"',
  },
} as const satisfies FlagTable;

export function checkOnePlace(said: {
  readonly 'all-namespaces': boolean;
  readonly namespace: string | undefined;
}): readonly string[] {
  const isBoth = said['all-namespaces'] && said.namespace !== undefined;
  return isBoth ? ['it takes "--namespace" or "--all-namespaces", not both'] : [];
}

export const liqoNamespaceFlag = {
  'liqo-namespace': {
    type: 'text',
    value: 'NAME',
    default: 'liqo',
    check: checkDnsLabel,
    completes: 'namespaces',
    help: 'where Liqo is installed',
  },
} as const satisfies FlagTable;

export const remoteLiqoNamespaceFlag = {
  'remote-liqo-namespace': {
    type: 'text',
    value: 'NAME',
    default: 'liqo',
    check: checkDnsLabel,
    help: 'where Liqo is installed in the remote cluster',
  },
} as const satisfies FlagTable;

export function timeoutFlag(duration: string, help: string) {
  return {
    timeout: { type: 'duration', value: 'DURATION', default: duration, help },
  } as const satisfies FlagTable;
}

export type Format = 'table' | 'wide' | 'json' | 'yaml' | 'name';

export function outputFlag<const F extends Format>(choices: readonly F[], help: string) {
  return {
    output: { type: 'choice', short: 'o', value: choices.join('|'), choices, help },
  } as const satisfies Record<string, Flag>;
}
