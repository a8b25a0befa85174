import { isJsonObject } from '@liqo/kube';
import { certainFaults } from './certain-faults.ts';
import type { Trace } from './run-program.ts';

/**
 * A trace without what two honest servers may differ in: UIDs, versions, names and addresses that the server chose, and
 * times. Each stands for its like in the other trace: the first UID is `uid-1` in both, and versions keep their order.
 */
export function normaliseTrace(trace: Trace): unknown {
  const versions = versionsIn(trace);
  const symbols = new Map<string, string>();
  const rank = (version: string) => rankOf(version, versions);
  const text = (value: string) => normaliseText(value, symbols, rank);
  return normalise(trace, '', { text, rank });
}

interface Normaliser {
  readonly text: (value: string) => string;
  readonly rank: (version: string) => string;
}

const chosenPorts = ['nodePort', 'healthCheckNodePort'];

function normalise(value: unknown, key: string, by: Normaliser): unknown {
  if (key === 'resourceVersion' && typeof value === 'string') return by.rank(value);
  if (key === 'continue' && value !== '') return '<continue>';
  if (chosenPorts.includes(key) && typeof value === 'number') return '<port>';
  if (typeof value === 'string') return by.text(value);
  if (Array.isArray(value)) return normaliseList(value, key, by);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(key === 'metadata' ? withOrderedFinalizers(value) : value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [by.text(name), normalise(member, name, by)]),
  );
}

type Members = Readonly<Record<string, unknown>>;

const policyFinalizers = ['orphan', 'foregroundDeletion'];

/**
 * A deletion that has something to say about dependents leaves the finalizers of a namespace, and of nothing else, in
 * the random order of Go's maps: see DIFFERENCES.md of minicluster.
 */
function withOrderedFinalizers(metadata: Members): Members {
  const { namespace, finalizers } = metadata;
  if (namespace !== undefined || !Array.isArray(finalizers)) return metadata;
  const hasPolicy = finalizers.some((one) => policyFinalizers.includes(String(one)));
  return hasPolicy ? { ...metadata, finalizers: finalizers.toSorted() } : metadata;
}

/** Managers are ordered by the second in which they wrote, which is chance when a program is quick. */
function normaliseList(list: readonly unknown[], key: string, by: Normaliser): unknown {
  const items = list.map((item) => normalise(item, key, by));
  if (key === 'causes') return withoutRepetitions(inOrder(items));
  if (key !== 'managedFields') return items;
  const orderOf = (item: unknown) =>
    JSON.stringify(item, ['manager', 'operation', 'subresource', 'apiVersion', 'time']);
  return items.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** Conflicts of server-side apply come in the random order of Go's maps: see DIFFERENCES.md of minicluster. */
function inOrder(causes: readonly unknown[]): readonly unknown[] {
  const areConflicts = causes.every(
    (cause) => isJsonObject(cause) && cause.reason === 'FieldManagerConflict',
  );
  const orderOf = (cause: unknown) => JSON.stringify(cause, ['message', 'field']);
  return areConflicts ? causes.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)) : causes;
}

/** Kubernetes tells a fault once for every check that finds it: see DIFFERENCES.md of minicluster. */
function withoutRepetitions(causes: readonly unknown[]): readonly unknown[] {
  const told = causes.map((cause) => JSON.stringify(cause, ['field', 'reason', 'message']));
  return causes.filter((_, index) => told.indexOf(told[index] ?? '') === index);
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const generatedName = /\b(g\d+|kube-api-access)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
const serviceAddress = /\b10\.\d+\.\d+\.\d+\b/g;
/** What Kubernetes shows after it are the fields of its own memory: see DIFFERENCES.md of minicluster. */
const podDifference = /(pod updates may not change fields other than [^\n]*\n)[\s\S]*$/;
/** The whole object or patch follows, as Go prints it: see DIFFERENCES.md of minicluster. */
const patchedObject = /(patch: Invalid value: |^Invalid value: )"(?:\{.*\}|map\[.*\])": /s;
/** They come in the random order of Go's maps: see DIFFERENCES.md of minicluster. */
const appliedFaults = /(failed to create typed patch object \([^)]*\): )(?:errors:\n)?([\s\S]*)/;
const statedVersion = /(ResourceVersion in [a-z ]+(?:: |\())(\d+)/g;
/** Where etcd keeps it is nothing that minicluster has: see its DIFFERENCES.md. */
const storageError =
  /StorageError: invalid object, Code: 4, Key: [^,]*, ResourceVersion: 0, AdditionalErrorMsg: /;

function normaliseText(
  value: string,
  symbols: Map<string, string>,
  rank: (version: string) => string,
): string {
  return value
    .replace(uid, (found) => symbolOf(symbols, found, `uid-${symbols.size + 1}`))
    .replace(time, (found) => found.replace(/\d/g, '#'))
    .replace(generatedName, (_, prefix) => `${prefix}-<generated>`)
    .replace(serviceAddress, '<address>')
    .replace(podDifference, '$1')
    .replace(appliedFaults, (_, what, faults) => what + certainFaultsIn(faults))
    .replace(storageError, '')
    .replace(patchedObject, '$1<object>: ')
    .replace(statedVersion, (_, label, version) => `${label}${rank(version)}`);
}

function certainFaultsIn(faults: string): string {
  return certainFaults(faults.split('\n').map((line) => line.trim())).join('\n');
}

function symbolOf(symbols: Map<string, string>, found: string, fresh: string): string {
  const symbol = symbols.get(found) ?? fresh;
  symbols.set(found, symbol);
  return symbol;
}

/** How many of the versions that objects had are not newer. */
function rankOf(version: string, versions: readonly number[]): string {
  const number = Number(version);
  return version === '' || Number.isNaN(number)
    ? version
    : `version-${versions.filter((other) => other <= number).length}`;
}

/** The versions of objects, oldest first: that of a list may be a version at which nothing here happened. */
function versionsIn(value: unknown): readonly number[] {
  const found = new Set<number>();
  collectVersions(value, found);
  return [...found].toSorted((a, b) => a - b);
}

function collectVersions(value: unknown, found: Set<number>): void {
  if (Array.isArray(value)) for (const item of value) collectVersions(item, found);
  if (!isJsonObject(value)) return;
  const { uid: id, resourceVersion } = value;
  if (typeof id === 'string' && typeof resourceVersion === 'string') {
    found.add(Number(resourceVersion));
  }
  for (const member of Object.values(value)) collectVersions(member, found);
}
