import { UsageError } from './flags.ts';

/** A virtual node that a process serves. */
export interface ServedNode {
  readonly name: string;
  /** Where its VirtualNode is. */
  readonly namespace: string;
  readonly providerClusterID: string;
  readonly kubeconfigSecretName: string;
  /** Of its kubelet endpoints. */
  readonly port: number;
}

export interface ServedNodeFlags {
  readonly nodename: string;
  readonly 'tenant-namespace': string;
  readonly 'foreign-cluster-id': string;
  readonly 'foreign-kubeconfig-secret-name': string;
  readonly 'listen-port': string;
}

/**
 * One process may play several kubelets: each flag then has a value for each of them, or one for all. A single port is that of
 * the first one, and the others get those that follow it.
 */
export function parseVirtualNodes(flags: ServedNodeFlags): readonly ServedNode[] {
  const names = split(flags.nodename);
  oneForEach('nodename', names, names);
  refuseTwins('nodename', names);
  const valuesOf = (flag: keyof ServedNodeFlags) => oneForEach(flag, split(flags[flag]), names);
  const namespaces = valuesOf('tenant-namespace');
  const clusterIDs = valuesOf('foreign-cluster-id');
  const secrets = valuesOf('foreign-kubeconfig-secret-name');
  const ports = parsePorts(split(flags['listen-port']), names);
  return names.map((name, nth) => ({
    name,
    namespace: namespaces[nth] ?? '',
    providerClusterID: clusterIDs[nth] ?? '',
    kubeconfigSecretName: secrets[nth] ?? '',
    port: ports[nth] ?? 0,
  }));
}

function split(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

function oneForEach(
  flag: string,
  values: readonly string[],
  names: readonly string[],
): readonly string[] {
  const [only = ''] = values;
  if (values.includes('')) throw usageError(`"--${flag}" has an empty value`);
  if (values.length === 1) return names.map(() => only);
  if (values.length === names.length) return values;
  throw usageError(
    `"--${flag}" has ${values.length} values and "--nodename" has ${names.length}: give one for all or one for each`,
  );
}

function parsePorts(values: readonly string[], names: readonly string[]): readonly number[] {
  const given = oneForEach('listen-port', values, names).map(parsePort);
  const isOneForAll = values.length === 1 && given[0] !== 0;
  const ports = isOneForAll ? given.map((port, nth) => port + nth) : given;
  refuseTwins(
    'listen-port',
    ports.filter((port) => port !== 0),
  );
  const last = Math.max(...ports);
  if (last > 65_535) throw usageError(`"--listen-port" leaves no port for the last virtual node`);
  return ports;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw usageError(`"--listen-port=${text}" is not a port`);
}

function refuseTwins(flag: string, values: readonly (string | number)[]): void {
  const twin = values.find((value, nth) => values.indexOf(value) !== nth);
  if (twin !== undefined) throw usageError(`"--${flag}" names "${twin}" twice`);
}

function usageError(problem: string): UsageError {
  return new UsageError(`Cannot run "liqo virtual-kubelet": ${problem}`);
}
