import {
  type Client,
  CustomResourceDefinition,
  defineKind,
  isNotFound,
  type Json,
  type Kind,
  type KubeObject,
  resourcePath,
  type Stored,
} from '@liqo/kube';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Subject } from './subject.ts';

export interface Widget extends KubeObject {
  readonly spec?: { readonly [field: string]: Json };
  readonly status?: { readonly [field: string]: Json };
}

export type DefinitionSpec = CustomResourceDefinition['spec'];
export type Schema = { readonly [word: string]: Json };

export const text = { type: 'string' };
export const integer = { type: 'integer' };
export const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export function rule(text: string, more: object = {}): { 'x-kubernetes-validations': Json } {
  return { 'x-kubernetes-validations': [{ rule: text, ...more }] };
}

export function versionOf(properties: Schema): object {
  return versionWith({ type: 'object', properties: { spec: { type: 'object', properties } } });
}

export function versionWith(openAPIV3Schema: Schema): object {
  return { schema: { openAPIV3Schema } };
}

export interface Definition extends CustomResourceDefinition {
  readonly metadata: { readonly name: string };
  readonly spec: DefinitionSpec;
}

export function forgeDefinition(group: string, version: object, names: object): Definition {
  const all = { plural: 'widgets', kind: 'Widget', ...names };
  const versions = [{ name: 'v1', served: true, storage: true, ...version }];
  return {
    metadata: { name: `${all.plural}.${group}` },
    spec: { group, scope: 'Cluster', names: all, versions },
  };
}

export function kindOf(group: string): Kind<Widget> {
  const apiVersion = `${group}/v1`;
  return defineKind<Widget>({ apiVersion, kind: 'Widget', plural: 'widgets', scope: 'Cluster' });
}

export function forgeWidget(name: string, spec: NonNullable<Widget['spec']>): Widget {
  return { metadata: { name }, spec };
}

/** Creates a definition and waits until its objects can be listed. */
export async function establish(
  { client }: Subject,
  definition: Definition,
): Promise<Stored<CustomResourceDefinition>> {
  await client.create(CustomResourceDefinition, definition);
  const crd = await untilEstablished(client, definition.metadata.name);
  await eventually(async () => {
    expect((await client.list(kindOf(definition.spec.group))).items).toEqual([]);
  });
  return crd;
}

export async function untilEstablished(
  client: Client,
  name: string,
): Promise<Stored<CustomResourceDefinition>> {
  return eventually(async () => {
    const crd = await client.get(CustomResourceDefinition, { name });
    const established = crd?.status?.conditions?.find(({ type }) => type === 'Established');
    if (!crd || established?.status !== 'True') throw new Error(`"${name}" is not established`);
    return crd;
  });
}

/** Gives the one version of a definition another schema of its `spec`. */
export async function change(client: Client, kind: Kind, properties: Schema): Promise<void> {
  const name = `widgets.${kind.group}`;
  const crd = await client.get(CustomResourceDefinition, { name });
  if (!crd) throw new Error(`Cannot change definition "${name}": it is gone`);
  const versions = crd.spec.versions.map((version) => ({ ...version, ...versionOf(properties) }));
  await client.update(CustomResourceDefinition, { ...crd, spec: { ...crd.spec, versions } });
}

interface Cause {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** In the order of their fields; without the one that says that there may be more. */
export function causesOf(error: unknown): readonly Cause[] {
  const { details } = error as { details?: { causes?: readonly Cause[] } };
  const causes = (details?.causes ?? []).filter(({ field }) => field !== '<nil>');
  return causes.toSorted((a, b) => ((a.field ?? '') < (b.field ?? '') ? -1 : 1));
}

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

export async function tableOf(client: Client, kind: Kind): Promise<Table> {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const response = await client.raw({
    method: 'GET',
    path: resourcePath(kind),
    headers: { accept },
  });
  return JSON.parse(await response.text());
}

export function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
