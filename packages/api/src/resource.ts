import { defineKind, type Kind, type KindNames, type KubeObject } from '@liqo/kube';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import type { Schema, StructuralSchema } from './schema.ts';

/** One of our kinds: what a client needs to find its objects, and what a CustomResourceDefinition is made of. */
export interface Resource<T extends KubeObject = KubeObject> extends Kind<T> {
  readonly definition: ResourceDefinition;
}

export interface ResourceDefinition {
  readonly description: string;
  readonly shortNames: readonly string[];
  readonly columns: readonly Column[];
  readonly spec: StructuralSchema;
  /** Present when the kind has the status subresource. */
  readonly status?: StructuralSchema;
}

/** A column of `kubectl get`. Those with a priority show up with `-o wide` only. */
export interface Column {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'string';
  readonly jsonPath: string;
  readonly priority?: number;
}

/** An object of ours. The server fills in an omitted `spec`, or refuses the object: a stored one always has it. */
export type CustomObject<Spec, Status> = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec: Spec;
} & ([Status] extends [never] ? unknown : { readonly status?: Status });

interface ResourceOptions<Spec, Status> extends KindNames {
  readonly description: string;
  readonly shortNames?: readonly string[];
  readonly columns?: readonly Column[];
  readonly spec: Schema<Spec>;
  readonly status?: Schema<Status>;
}

export function defineResource<Spec, Status = never>(
  options: ResourceOptions<Spec, Status>,
): Resource<CustomObject<Spec, Status>> {
  const { description, shortNames = [], columns = [], spec, status } = options;
  return {
    ...defineKind<CustomObject<Spec, Status>>(options),
    definition: { description, shortNames, columns, spec, ...(status && { status }) },
  };
}

export function column(
  name: string,
  jsonPath: string,
  { type = 'string', ...rest }: Partial<Pick<Column, 'priority' | 'type'>> = {},
): Column {
  return { name, type, jsonPath, ...rest };
}

export const ageColumn = column('Age', '.metadata.creationTimestamp', { type: 'date' });
