import type { Environment } from '@marcbachmann/cel-js';
import type { Access, Authorizer, ResourceAccess, Verdict } from '../../auth/access.ts';
import { serviceAccountUser } from '../../auth/service-account-user.ts';
import type { User } from '../../auth/user.ts';
import { celFault } from '../../crd/rules/cel-fault.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../../resources/validation/names.ts';

/** `authorizer` of an expression: what the sender of the request, or a service account, may do. */
export class CelAuthorizer {
  readonly #authorizer: Authorizer;
  readonly #user: User;
  /** A check of the request's own resource; also the field of that name. */
  readonly requestResource: ResourceCheck;

  constructor(authorizer: Authorizer, user: User, requestResource: ResourceAccess) {
    this.#authorizer = authorizer;
    this.#user = user;
    this.requestResource = new ResourceCheck(this, requestResource);
  }

  serviceAccount(namespace: string, name: string): CelAuthorizer {
    if (dnsSubdomainFaults(name).length > 0) throw celFault('Invalid service account name');
    if (dnsLabelFaults(namespace).length > 0) throw celFault('Invalid service account namespace');
    const user = serviceAccountUser({ namespace, name });
    return new CelAuthorizer(this.#authorizer, user, this.requestResource.access);
  }

  decide(access: Omit<Access, 'user'>): Decision {
    return new Decision(this.#authorizer.authorize({ ...access, user: this.#user }));
  }
}

class PathCheck {
  readonly authorizer: CelAuthorizer;
  readonly path: string;

  constructor(authorizer: CelAuthorizer, path: string) {
    if (path.trim() === '') throw celFault('path must not be empty');
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheck {
  readonly authorizer: CelAuthorizer;
  readonly group: string;

  constructor(authorizer: CelAuthorizer, group: string) {
    this.authorizer = authorizer;
    this.group = group;
  }

  resource(plural: string): ResourceCheck {
    if (plural.trim() === '') throw celFault('resource must not be empty');
    const access = { group: this.group, plural, subresource: '', namespace: '', name: '' };
    return new ResourceCheck(this.authorizer, access);
  }
}

class ResourceCheck {
  readonly authorizer: CelAuthorizer;
  readonly access: ResourceAccess;

  constructor(authorizer: CelAuthorizer, access: ResourceAccess) {
    this.authorizer = authorizer;
    this.access = access;
  }

  with(change: Partial<ResourceAccess>): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.access, ...change });
  }
}

class Decision {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    this.verdict = verdict;
  }
}

/** The name of the type of `authorizer`. */
export const authorizerType = 'kubernetes.authorization.Authorizer';

const [pathCheck, groupCheck, resourceCheck, decision] = [
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
];

/** The authorization functions of Kubernetes, without selectors: RBAC does not look at them. */
export function registerAuthorizer(environment: Environment): void {
  environment
    .registerType(pathCheck, { ctor: PathCheck })
    .registerType(groupCheck, { ctor: GroupCheck })
    .registerType(resourceCheck, { ctor: ResourceCheck })
    .registerType(decision, { ctor: Decision })
    .registerType(authorizerType, {
      ctor: CelAuthorizer,
      fields: { requestResource: resourceCheck },
    })
    .registerFunction(`${authorizerType}.path(string): ${pathCheck}`, (from, path) => {
      return new PathCheck(from, path);
    })
    .registerFunction(`${authorizerType}.group(string): ${groupCheck}`, (from, group) => {
      return new GroupCheck(from, group);
    })
    .registerFunction(
      `${authorizerType}.serviceAccount(string, string): ${authorizerType}`,
      (from, namespace, name) => from.serviceAccount(namespace, name),
    )
    .registerFunction(`${groupCheck}.resource(string): ${resourceCheck}`, (from, plural) => {
      return from.resource(plural);
    });
  registerResourceChecks(environment);
  registerDecisions(environment);
}

function registerResourceChecks(environment: Environment): void {
  const narrow = (name: keyof ResourceAccess) =>
    environment.registerFunction(
      `${resourceCheck}.${name}(string): ${resourceCheck}`,
      (check: ResourceCheck, value: string) => check.with({ [name]: value }),
    );
  narrow('subresource');
  narrow('namespace');
  narrow('name');
  environment
    .registerFunction(`${resourceCheck}.check(string): ${decision}`, (check, verb) =>
      check.authorizer.decide({ verb, resource: check.access, path: '' }),
    )
    .registerFunction(`${pathCheck}.check(string): ${decision}`, (check, verb) =>
      check.authorizer.decide({ verb, resource: undefined, path: check.path }),
    );
}

/** An authorizer here never fails: `errored` and `error` are there for expressions that ask. */
function registerDecisions(environment: Environment): void {
  environment
    .registerFunction(`${decision}.allowed(): bool`, ({ verdict }) => verdict.allowed)
    .registerFunction(`${decision}.reason(): string`, ({ verdict }) => verdict.reason)
    .registerFunction(`${decision}.errored(): bool`, () => false)
    .registerFunction(`${decision}.error(): string`, () => '');
}
