import { labelQueryFromSelector, matchesLabels, Namespace } from '@liqo/kube';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import { notFound } from '../../rest/refusal.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { readOne } from '../read-store.ts';
import { isAbout, namespaceOf } from '../request-scope.ts';
import type { Webhook } from './webhook.ts';

type Labels = Readonly<Record<string, string>>;

/** By the labels of the namespace. What is in none is never left out, unless it is one itself. */
export function selectsNamespace(
  { namespaceSelector }: Pick<Webhook, 'namespaceSelector'>,
  attributes: AdmissionAttributes,
  store: Store,
): boolean {
  const isNamespace = isAbout(attributes, 'namespaces');
  if (isEmpty(namespaceSelector) || (!namespaceOf(attributes) && !isNamespace)) return true;
  const query = labelQueryFromSelector(namespaceSelector);
  return matchesLabels(query, namespaceLabels(attributes, store));
}

/** A namespace that is being written has the labels it will have. */
function namespaceLabels(attributes: AdmissionAttributes, store: Store): Labels {
  const { object, subresource } = attributes;
  if (isAbout(attributes, 'namespaces') && subresource === '' && object) {
    return object.metadata?.labels ?? {};
  }
  const name = namespaceOf(attributes);
  const namespace = readOne(store, Namespace, { name });
  if (!namespace) throw notFound({ group: '', plural: 'namespaces' }, name);
  return namespace.metadata.labels ?? {};
}

/** By the labels of the object as it will be, or as it was: nobody gets away by taking a label off. */
export function selectsObject(
  { objectSelector }: Pick<Webhook, 'objectSelector'>,
  { object, previous }: AdmissionAttributes,
): boolean {
  if (isEmpty(objectSelector)) return true;
  const query = labelQueryFromSelector(objectSelector);
  return [object, previous].some((one) => one && matchesLabels(query, one.metadata?.labels));
}

/** Absent selectors were filled in with empty ones, which select everything. */
function isEmpty(selector: LabelSelector | undefined): boolean {
  const labels = Object.keys(selector?.matchLabels ?? {});
  return labels.length === 0 && (selector?.matchExpressions ?? []).length === 0;
}
