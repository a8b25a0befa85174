import { ApiError, Namespace } from '@liqo/kube';
import { forbidden, notFound } from '../rest/refusal.ts';
import type { Store } from '../store/store.ts';
import type { Admission, AdmissionAttributes } from './admission.ts';
import { readOne } from './read-store.ts';
import { forbid, isAbout, namespaceOf } from './request-scope.ts';

const immortal: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** Nothing is written to a namespace that is not there, nothing new to one that goes, and some never go. */
export function namespaceLifecycle(store: Store): Admission {
  return {
    name: 'NamespaceLifecycle',
    async mutate(attributes) {
      if (isAbout(attributes, 'namespaces')) refuseImmortal(attributes);
      else refuseWithoutNamespace(attributes, store);
      return attributes.object;
    },
  };
}

function refuseImmortal({ operation, resource, name }: AdmissionAttributes): void {
  if (operation !== 'DELETE' || !immortal.includes(name)) return;
  throw forbidden(resource, name, 'this namespace may not be deleted');
}

function refuseWithoutNamespace(attributes: AdmissionAttributes, store: Store): void {
  const { operation } = attributes;
  const name = namespaceOf(attributes);
  if (!name || operation === 'DELETE' || operation === 'CONNECT' || isHarmless(attributes)) return;
  const namespace = readOne(store, Namespace, { name });
  if (!namespace) throw notFound({ group: '', plural: 'namespaces' }, name);
  if (operation === 'CREATE' && namespace.status?.phase === 'Terminating') {
    throw refuseTerminating(attributes, name);
  }
}

/** A question about rights must not tell whether the namespace exists. */
function isHarmless(attributes: AdmissionAttributes): boolean {
  return isAbout(attributes, 'localsubjectaccessreviews', 'authorization.k8s.io');
}

function refuseTerminating(attributes: AdmissionAttributes, namespace: string): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { message, code, reason, details } = forbid(attributes, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new ApiError({ message, code, reason, details: { ...details, causes: [cause] } });
}
