import { isJsonObject, type KubeObject, type Stored } from '@liqo/kube';
import { readMetadata } from '../untrusted/read-metadata.ts';
import { digestTexts } from './digest-texts.ts';

/** Who writes reflected objects, as Liqo calls it. */
export const reflectionManager = 'reflection.liqo.io';

/**
 * A copy at the provider as far as reflection needs it: metadata with values of the right types, the fields that reflection
 * has applied, and everything else with digests for long texts. Undefined if it is no object at all. Never throws.
 */
export function readReflected<T extends KubeObject>(object: Stored<T>): Stored<T> | undefined {
  const metadata = readMetadata(object.metadata);
  if (!metadata) return undefined;
  const applied = appliedEntry(object.metadata.managedFields);
  const { metadata: _, apiVersion, kind, ...content } = object as Stored<KubeObject>;
  const { annotations, ...others } = metadata;
  return {
    ...(digestTexts(content) as object),
    apiVersion,
    kind,
    metadata: {
      ...others,
      ...(annotations && { annotations: digestTexts(annotations) }),
      ...(applied && { managedFields: [applied] }),
    },
  } as unknown as Stored<T>;
}

interface AppliedEntry {
  readonly manager: string;
  readonly operation: 'Apply';
  readonly fieldsV1: object;
}

function appliedEntry(managedFields: unknown): AppliedEntry | undefined {
  if (!Array.isArray(managedFields)) return undefined;
  const found = managedFields.find(
    (entry) =>
      isJsonObject(entry) &&
      entry.manager === reflectionManager &&
      entry.operation === 'Apply' &&
      entry.subresource === undefined,
  );
  const fields = isJsonObject(found) ? digestTexts(found.fieldsV1) : undefined;
  if (!isJsonObject(fields)) return undefined;
  return { manager: reflectionManager, operation: 'Apply', fieldsV1: fields };
}

/** What reflection itself has applied, as the provider records it. */
export function appliedFields({ metadata }: Stored<KubeObject>): unknown {
  return metadata.managedFields?.find(({ manager }) => manager === reflectionManager)?.fieldsV1;
}
