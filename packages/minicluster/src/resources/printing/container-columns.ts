import type { Container, PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import type { TableColumn } from '../../rest/resource.ts';
import { textColumn } from './columns.ts';

type FindTemplate<T> = (object: T) => PodTemplateSpec | undefined;

/** The names and the images of the containers in a pod template. */
export function containerColumns<T extends object>(templateOf: FindTemplate<T>): TableColumn[] {
  const joined = (object: T, part: (container: Container) => string | undefined) =>
    (templateOf(object)?.spec?.containers ?? [])
      .map((container) => part(container) ?? '')
      .join(',');
  return [
    textColumn('Containers', (object: T) => joined(object, ({ name }) => name)),
    textColumn('Images', (object: T) => joined(object, ({ image }) => image)),
  ];
}
