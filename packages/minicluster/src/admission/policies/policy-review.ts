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

type Lazy = () => unknown;

interface LazyRequest {
  readonly object: Lazy;
  readonly oldObject: Lazy;
  readonly request: Lazy;
}

/** One request as the expressions of policies see it. A value is converted once, when an expression first reads it. */
export class PolicyReview {
  readonly #attributes: AdmissionAttributes;
  readonly #store: Store;
  readonly #authorizer: CelAuthorizer;
  readonly #requests = new Map<Resource, LazyRequest>();
  #namespaceObject: Lazy | undefined;

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
    const { object, oldObject, request } = this.#requestFor(target);
    this.#namespaceObject ??= lazily(this.#readNamespace());
    const namespaceObject = this.#namespaceObject;
    const lazyParams = lazily(params ?? null);
    return {
      get object() {
        return object();
      },
      get oldObject() {
        return oldObject();
      },
      get request() {
        return request();
      },
      get namespaceObject() {
        return namespaceObject();
      },
      get params() {
        return lazyParams();
      },
      authorizer: this.#authorizer,
    };
  }

  #requestFor(target: Resource): LazyRequest {
    const known = this.#requests.get(target);
    if (known) return known;
    const { object, oldObject, uid: _, ...request } = forgeRequest(this.#attributes, target, '');
    const made = {
      object: lazily(object),
      oldObject: lazily(oldObject),
      request: lazily(request),
    };
    this.#requests.set(target, made);
    return made;
  }

  /** Null for what is in no namespace, and for a namespace itself. */
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

/** The value for expressions, converted at the first call. */
function lazily(value: unknown): Lazy {
  let converted: unknown;
  return () => {
    converted ??= celData(value);
    return converted;
  };
}
