import { ownMember, type ResourceList } from '@liqo/kube';

/** What everybody asks for first; the rest follows by name. */
const first: readonly string[] = ['cpu', 'memory', 'pods'];

/** The names of all these resources, in the order in which they are shown. */
export function resourceNames(...lists: readonly ResourceList[]): readonly string[] {
  const names = new Set(lists.flatMap((list) => Object.keys(list)));
  const others = [...names].filter((name) => !first.includes(name));
  return [...first.filter((name) => names.has(name)), ...others.toSorted()];
}

/** `cpu 1/4, memory 1Gi/8Gi`: what is used of what is granted. Empty where either is not known. */
export function describeUse(
  used: ResourceList | undefined,
  granted: ResourceList | undefined,
): string {
  if (!used || !granted) return '';
  const shown = resourceNames(used, granted).filter(
    (name) => first.includes(name) || ownMember(used, name) !== undefined,
  );
  return shown.map((name) => `${name} ${useOf(name, used, granted)}`).join(', ');
}

/** A grant that says nothing of `pods` does not limit them. */
function useOf(name: string, used: ResourceList, granted: ResourceList): string {
  const inUse = String(ownMember(used, name) ?? 0);
  const limit = ownMember(granted, name) ?? (name === 'pods' ? undefined : 0);
  return limit === undefined ? inUse : `${inUse}/${limit}`;
}
