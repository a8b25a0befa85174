import { type KubeObject, Namespace } from '@liqo/kube';
import type { Authorizer } from '../../auth/access.ts';
import { notFound } from '../../rest/refusal.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { readOne } from '../read-store.ts';
import { isAbout, namespaceOf } from '../request-scope.ts';
import { forgeRequest } from '../webhooks/admission-review.ts';
import { CelAuthorizer } from './cel-authorizer.ts';
import { celData } from './cel-data.ts';
import type { PolicyInput } from './evaluate-policy.ts';

type RequestInput = Pick<PolicyInput, 'object' | 'oldObject' | 'request'>;

/** One request as the expressions of policies see it. What several policies ask for is converted once. */
export class PolicyReview {
  readonly #attributes: AdmissionAttributes;
  readonly #store: Store;
  readonly #authorizer: CelAuthorizer;
  readonly #inputs = new Map<Resource, RequestInput>();
  #namespaceObject: unknown;

  constructor(attributes: AdmissionAttributes, store: Store, authorizer: Authorizer) {
    const { resource, subresource, name, user } = attributes;
    this.#attributes = attributes;
    this.#store = store;
    this.#authorizer = new CelAuthorizer(authorizer, user, {
      group: resource.group,
      plural: resource.plural,
      subresource,
      namespace: namespaceOf(attributes),
      name,
    });
  }

  /** With the objects in the form of `target`. */
  input(target: Resource, params: KubeObject | undefined): PolicyInput {
    const { object, oldObject, request } = this.#inputOf(target);
    const namespaceObject = this.#namespace();
    const authorizer = this.#authorizer;
    return {
      object,
      oldObject,
      request,
      namespaceObject,
      params: celData(params ?? null),
      authorizer,
    };
  }

  #inputOf(target: Resource): RequestInput {
    const known = this.#inputs.get(target);
    if (known) return known;
    const { object, oldObject, uid: _, ...request } = forgeRequest(this.#attributes, target, '');
    const input = {
      object: celData(object),
      oldObject: celData(oldObject),
      request: celData(request),
    };
    this.#inputs.set(target, input);
    return input;
  }

  /** Null for what is in no namespace, and for a namespace itself. */
  #namespace(): unknown {
    if (this.#namespaceObject !== undefined) return this.#namespaceObject;
    this.#namespaceObject = celData(this.#readNamespace());
    return this.#namespaceObject;
  }

  #readNamespace(): KubeObject | null {
    const name = namespaceOf(this.#attributes);
    if (!name || isAbout(this.#attributes, 'namespaces')) return null;
    const namespace = readOne(this.#store, Namespace, { name });
    if (!namespace) throw notFound({ group: '', plural: 'namespaces' }, name);
    const { metadata, spec, status } = namespace;
    const { ownerReferences: _, managedFields: __, ...shown } = metadata;
    return { metadata: shown, ...(spec && { spec }), ...(status && { status }) } as KubeObject;
  }
}
