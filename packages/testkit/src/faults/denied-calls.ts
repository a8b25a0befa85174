import { type InProcessAnswer, JsonContent, type TransportRequest } from '@liqo/kube';
import { readRequestInfo, readRequestTarget } from '@liqo/minicluster';

/** A call that the authorizer of a server, or a policy of the product, denied. */
export interface Denial {
  /** Undefined for cluster-scoped objects and for calls across all namespaces. */
  readonly namespace: string | undefined;
  /** As the server words it: who may not do what. */
  readonly message: string;
}

/**
 * The phrases of RBAC and of the product's own policies. Other admission also answers 403: a namespace that is terminating, a
 * pod that its level forbids.
 */
const isDenial =
  /\bcannot \w+ (resource|path) |is attempting to grant RBAC permissions|ValidatingAdmissionPolicy 'liqo-/;

/** Records the calls that a server denies for lack of rights: a role that grants too little, or a policy that is too strict. */
export class DeniedCalls {
  readonly denials: Denial[] = [];
  readonly #counts: (denial: Denial) => boolean;

  /** `counts` is asked at the time of the denial; all of them count by default. */
  constructor(counts: (denial: Denial) => boolean = () => true) {
    this.#counts = counts;
  }

  async follow(
    { method, path }: TransportRequest,
    answered: Promise<InProcessAnswer>,
  ): Promise<InProcessAnswer> {
    const answer = await answered;
    // A policy whose expression cannot be evaluated answers 422.
    if (answer.status !== 403 && answer.status !== 422) return answer;
    const message = messageOf(answer);
    if (!isDenial.test(message)) return answer;
    const { pathname, searchParams } = readRequestTarget(path);
    const { resource } = readRequestInfo(method, pathname, searchParams);
    const denial = { namespace: resource?.namespace, message };
    if (this.#counts(denial)) this.denials.push(denial);
    return answer;
  }

  /** Throws the denials: for the end of a test. */
  refuse(): void {
    if (this.denials.length === 0) return;
    const messages = new Set(this.denials.map(({ message }) => message));
    throw new Error(`The product lacks rights: ${[...messages].join('; ')}`);
  }
}

function messageOf({ body }: InProcessAnswer): string {
  if (!(body instanceof JsonContent)) return typeof body === 'string' ? body : '';
  const { message } = body.value as { message?: string };
  return message ?? '';
}
