import { type Client, CustomResourceDefinition, type Kind } from '@liqo/kube';
import {
  type Definition,
  establish,
  forgeDefinition,
  ignoreNotFound,
  kindOf,
  type Schema,
  versionOf,
  type Widget,
} from './custom-widget.ts';
import type { GetSubject } from './subject.ts';

/** Makes definitions of cluster-scoped objects, each in a group of its own, and remembers them to take them away. */
export class WidgetWorkshop {
  readonly #subject: GetSubject;
  readonly #made: string[] = [];

  constructor(subject: GetSubject) {
    this.#subject = subject;
  }

  forge(version: object, names: object = {}): Definition {
    const number = this.#made.length + 1;
    const group = `test-${Math.floor(performance.timeOrigin % 1e9)}-${number}.example.org`;
    const definition = forgeDefinition(group, version, names);
    this.remember(definition);
    return definition;
  }

  remember({ metadata }: Definition): void {
    this.#made.push(metadata.name);
  }

  async install(version: object): Promise<Kind<Widget>> {
    const definition = this.forge(version);
    await establish(this.#subject(), definition);
    return kindOf(definition.spec.group);
  }

  withSpec(properties: Schema, more: object = {}): Promise<Kind<Widget>> {
    return this.install({ ...versionOf(properties), ...more });
  }

  async cleanUp(client: Client): Promise<void> {
    for (const name of this.#made) {
      await client.delete(CustomResourceDefinition, { name }).catch(ignoreNotFound);
    }
  }
}
