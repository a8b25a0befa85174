import {
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  isJsonObject,
  type KubeObject,
  type Stored,
} from '@liqo/kube';
import { generation, line, list, object, time } from './readers.ts';

type Metadata = Stored<KubeObject>['metadata'];

const identifier = line(128);
const name = line(253);

const readFields = object({
  name,
  generateName: name,
  namespace: name,
  uid: identifier,
  resourceVersion: identifier,
  creationTimestamp: time,
  generation,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: generation,
  labels: readLabels,
  annotations: readAnnotations,
  ownerReferences: list(
    object({
      apiVersion: name,
      kind: name,
      name,
      uid: identifier,
      controller: (value) => value === true,
      blockOwnerDeletion: (value) => value === true,
    }),
    32,
  ),
  finalizers: list(name, 32),
});

/** The metadata of an object of another party, with values of the right types; undefined if it is no object at all. */
export function readMetadata(value: unknown): Metadata | undefined {
  if (!isJsonObject(value)) return undefined;
  const { resourceVersion = '', uid = '', name: own } = value;
  const isNamed = typeof own === 'string' && checkDnsSubdomain(own).length === 0;
  if (!isNamed || typeof resourceVersion !== 'string' || typeof uid !== 'string') return undefined;
  return readFields(value) as Metadata;
}

function readLabels(value: unknown): Record<string, string> | undefined {
  if (!isJsonObject(value)) return undefined;
  const valid = Object.entries(value).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' &&
      checkQualifiedName(entry[0]).length === 0 &&
      checkLabelValue(entry[1]).length === 0,
  );
  return Object.fromEntries(valid.slice(0, 256));
}

/** The limit of Kubernetes for all annotations of an object. */
const maxAnnotationsLength = 256 * 1024;

function readAnnotations(value: unknown): Record<string, string> | undefined {
  if (!isJsonObject(value)) return undefined;
  let length = 0;
  const kept: [string, string][] = [];
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') continue;
    length += key.length + text.length;
    if (length > maxAnnotationsLength) break;
    kept.push([key, text]);
  }
  return Object.fromEntries(kept);
}
