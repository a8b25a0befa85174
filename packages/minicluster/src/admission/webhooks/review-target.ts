import { apiVersionOf, type KubeObject } from '@liqo/kube';
import { qualified } from '../../rest/refusal.ts';
import type { Registry } from '../../rest/registry.ts';
import type { Resource } from '../../rest/resource.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { matchesRule } from './matches-rule.ts';
import type { Webhook } from './webhook.ts';

/** In which of the forms of its resource a webhook wants to see an object; undefined when in none. */
export function reviewTarget(
  hook: Webhook,
  attributes: AdmissionAttributes,
  registry: Registry,
): Resource | undefined {
  const { resource } = attributes;
  const rules = hook.rules ?? [];
  if (rules.some((rule) => matchesRule(rule, subjectOf(attributes, resource)))) return resource;
  if (hook.matchPolicy === 'Exact') return undefined;
  const others = equivalents(resource, registry);
  for (const rule of rules) {
    const other = others.find((one) => matchesRule(rule, subjectOf(attributes, one)));
    if (other) return other;
  }
  return undefined;
}

export function subjectOf({ operation, subresource }: AdmissionAttributes, resource: Resource) {
  const { group, version, plural, namespaced } = resource;
  return { operation, group, version, plural, subresource, namespaced };
}

/** Other versions, and other names, of the same objects. */
export function equivalents(resource: Resource, registry: Registry): readonly Resource[] {
  const storage = storageName(resource);
  return registry.all().filter((one) => one !== resource && storageName(one) === storage);
}

function storageName(resource: Resource): string {
  return qualified(resource.viewOf ?? resource);
}

/** The object in another of its forms. Versions of a custom resource differ by name only. */
export function convertObject(object: KubeObject, from: Resource, to: Resource): KubeObject {
  if (from === to) return object;
  const stored = from.viewOf?.toStorage(object) ?? object;
  const viewed = to.viewOf?.fromStorage(stored as never) ?? stored;
  return { ...viewed, apiVersion: apiVersionOf(to), kind: to.kind };
}
