import type { Resource } from './resource.ts';

/** What the server serves right now: the built-in resources, and those of established CustomResourceDefinitions. */
export class Registry {
  readonly #resources = new Map<string, Resource>();
  readonly #listeners = new Set<() => void>();

  add(resource: Resource): void {
    this.#resources.set(pathOf(resource), resource);
    this.#changed();
  }

  remove(resource: Pick<Resource, 'group' | 'version' | 'plural'>): void {
    this.#resources.delete(pathOf(resource));
    this.#changed();
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#resources.get(pathOf({ group, version, plural }));
  }

  all(): readonly Resource[] {
    return [...this.#resources.values()];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function pathOf({
  group,
  version,
  plural,
}: Pick<Resource, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`;
}
