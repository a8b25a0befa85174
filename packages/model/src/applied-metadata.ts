import { annotations } from '@liqo/api';
import { isJsonObject, type KubeObject } from '@liqo/kube';

/**
 * On an object that others label and annotate too: which of its keys we have set, so that a key we no longer want goes and
 * a key of theirs stays. Kubernetes' own record of field owners cannot tell: it counts what admission adds as ours.
 */
export const { appliedMetadata } = annotations;

type Entries = Readonly<Record<string, string>>;

export interface WantedMetadata {
  readonly labels: Entries;
  readonly annotations: Entries;
  /** Of the object that the rest of this one was made from. */
  readonly generation?: number;
}

interface AppliedRecord {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
  readonly generation?: number;
}

export interface MergedMetadata {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
}

/** What is wanted, over what is there, without what was once wanted; and the record of it. Applying twice is the same. */
export function applyMetadata(
  current: KubeObject['metadata'],
  wanted: WantedMetadata,
): MergedMetadata {
  const before = appliedTo(current);
  return {
    labels: merge(current?.labels, wanted.labels, before?.labels),
    annotations: {
      ...merge(current?.annotations, wanted.annotations, before?.annotations),
      [appliedMetadata]: JSON.stringify(recordOf(wanted)),
    },
  };
}

/** The generation of its source that an object was last brought up to; undefined if nobody wrote it down. */
export function appliedGeneration(current: KubeObject['metadata']): number | undefined {
  return appliedTo(current)?.generation;
}

function merge(
  current: Entries = {},
  wanted: Entries,
  before: readonly string[] = [],
): Record<string, string> {
  const kept = Object.entries(current).filter(([key]) => !before.includes(key));
  return { ...Object.fromEntries(kept), ...wanted };
}

function recordOf({ labels, annotations, generation }: WantedMetadata): AppliedRecord {
  return {
    labels: Object.keys(labels).sort(),
    annotations: Object.keys(annotations).sort(),
    ...(generation !== undefined && { generation }),
  };
}

function appliedTo(metadata: KubeObject['metadata']): AppliedRecord | undefined {
  const text = metadata?.annotations?.[appliedMetadata];
  return text === undefined ? undefined : parseRecord(text);
}

/** Anybody can edit an annotation: what cannot be read is as if it were not there. */
function parseRecord(text: string): AppliedRecord | undefined {
  try {
    const record: unknown = JSON.parse(text);
    if (!isJsonObject(record)) return undefined;
    const { labels, annotations, generation } = record;
    return {
      labels: strings(labels),
      annotations: strings(annotations),
      ...(typeof generation === 'number' && { generation }),
    };
  } catch {
    // Not JSON: not ours.
    return undefined;
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
