import type { KubeObject } from '@liqo/kube';
import type { CustomResourceDefinitionVersion } from 'kubernetes-types/apiextensions/v1.d.ts';
import { valueAt } from './scale-paths.ts';

/** Newer than the types we have. */
type WithSelectableFields = CustomResourceDefinitionVersion & {
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
};

export function selectableFieldsOf(version: WithSelectableFields): readonly string[] {
  return (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath);
}

/** What lists and watches can be selected by: `spec.color`, without the leading point. */
export function selectableFields(
  version: CustomResourceDefinitionVersion,
): Readonly<Record<string, (object: KubeObject) => string>> {
  const entries = selectableFieldsOf(version).map((path) => {
    const name = path.replace(/^\./, '');
    return [name, (object: KubeObject) => String(valueAt(object, name.split('.')) ?? '')] as const;
  });
  return Object.fromEntries(entries);
}
