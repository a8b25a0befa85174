import {
  type Client,
  ClusterRole,
  ClusterRoleBinding,
  defineKind,
  type KubeObject,
  Role,
  RoleBinding,
} from '@liqo/kube';
import { serviceAccountGroups, serviceAccountUserName } from '@liqo/minicluster';

type Rule = NonNullable<ClusterRole['rules']>[number];
type Subject = NonNullable<RoleBinding['subjects']>[number];

/** Verbs, by the resource as `kubectl auth can-i --list` names it, with the names that they are limited to. */
type Verbs = ReadonlyMap<string, ReadonlySet<string>>;

/** An identity that bindings of the installation name, and what it may do in a namespace, or in the whole cluster. */
export interface Grant {
  readonly identity: string;
  readonly subject: Subject;
  /** Empty for the whole cluster. */
  readonly namespace: string;
  readonly verbs: Verbs;
}

interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

interface RulesReview extends KubeObject {
  readonly spec: { readonly namespace?: string };
  readonly status?: { readonly resourceRules: readonly Rule[]; readonly incomplete: boolean };
}

const SelfSubjectRulesReview = defineKind<RulesReview>({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  scope: 'Cluster',
});

/** What the roles say that are bound in a cluster, those of Kubernetes itself excepted. */
export async function grantsOfRoles(client: Client): Promise<readonly Grant[]> {
  const [roles, clusterRoles, bindings, clusterBindings] = await Promise.all([
    client.list(Role),
    client.list(ClusterRole),
    client.list(RoleBinding),
    client.list(ClusterRoleBinding),
  ]);
  const rulesOf = new Map<string, readonly Rule[]>();
  for (const { metadata, rules = [] } of clusterRoles.items) rulesOf.set(metadata.name, rules);
  for (const { metadata, rules = [] } of roles.items) {
    rulesOf.set(`${metadata.namespace}/${metadata.name}`, rules);
  }
  const found = [...bindings.items, ...clusterBindings.items].filter(isOfInstallation);
  const grants = found.flatMap(({ metadata, roleRef, subjects = [] }) => {
    const { namespace = '' } = metadata;
    const isLocal = roleRef.kind === 'Role';
    const rules = rulesOf.get(isLocal ? `${namespace}/${roleRef.name}` : roleRef.name);
    if (!rules)
      throw new Error(`"${metadata.name}" binds the role "${roleRef.name}": there is none`);
    const verbs = verbsOf(rules);
    return subjects.map((subject) => ({
      identity: identityOf(subject),
      subject,
      namespace,
      verbs,
    }));
  });
  return merged(grants).map((grant, _, all) => {
    if (grant.namespace === '') return grant;
    const everywhere = all.find((one) => one.identity === grant.identity && one.namespace === '');
    return { ...grant, verbs: without(grant.verbs, everywhere?.verbs ?? new Map()) };
  });
}

/** What the API server answers the same identities about the same namespaces, as `kubectl auth can-i --list` asks. */
export async function grantsOfReviews(
  as: (user: User) => Promise<Client>,
  asked: readonly Grant[],
): Promise<readonly Grant[]> {
  await using anybody = await as({ name: 'anybody', groups: [] });
  const ofAnybody = await review(anybody, unboundNamespace);
  return Promise.all(
    asked.map(async (grant) => {
      await using client = await as(userOf(grant.subject));
      const everywhere = await review(client, unboundNamespace);
      const verbs =
        grant.namespace === ''
          ? without(everywhere, ofAnybody)
          : without(await review(client, grant.namespace), everywhere);
      return { ...grant, verbs };
    }),
  );
}

/** No binding of the installation is in it. */
const unboundNamespace = 'default';

/** Those of the API server itself, of its controllers and of the tools that made the cluster. */
function isOfInstallation({ metadata }: Pick<RoleBinding, 'metadata'>): boolean {
  const isBootstrap = metadata?.labels?.['kubernetes.io/bootstrapping'] === 'rbac-defaults';
  return !isBootstrap && !/^(system|kubeadm):/.test(metadata?.name ?? '');
}

async function review(client: Client, namespace: string): Promise<Verbs> {
  const { status } = await client.create(SelfSubjectRulesReview, { spec: { namespace } });
  if (!status || status.incomplete) throw new Error(`The review of "${namespace}" is incomplete`);
  return verbsOf(status.resourceRules);
}

function verbsOf(rules: readonly Rule[]): Verbs {
  const found = new Map<string, Set<string>>();
  for (const { apiGroups = [], resources = [], resourceNames = [], verbs } of rules) {
    const limit = resourceNames.length > 0 ? ` [${resourceNames.toSorted().join(' ')}]` : '';
    for (const group of apiGroups) {
      for (const resource of resources) {
        const key = `${group === '' ? resource : `${resource}.${group}`}${limit}`;
        found.set(key, new Set([...(found.get(key) ?? []), ...verbs]));
      }
    }
  }
  return found;
}

function without(verbs: Verbs, others: Verbs): Verbs {
  const rest = [...verbs].map(([key, all]) => {
    return [key, new Set([...all].filter((verb) => !others.get(key)?.has(verb)))] as const;
  });
  return new Map(rest.filter(([, left]) => left.size > 0));
}

/** One grant for all bindings of an identity in a namespace. */
function merged(grants: readonly Grant[]): readonly Grant[] {
  const byPlace = new Map<string, Grant>();
  for (const grant of grants) {
    const earlier = byPlace.get(placeOf(grant));
    const verbs = earlier ? union(earlier.verbs, grant.verbs) : grant.verbs;
    byPlace.set(placeOf(grant), { ...grant, verbs });
  }
  return [...byPlace.values()].toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function placeOf({ identity, namespace }: Grant): string {
  return `${identity} ${namespace}`;
}

function union(a: Verbs, b: Verbs): Verbs {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return new Map(
    [...keys].map((key) => [key, new Set([...(a.get(key) ?? []), ...(b.get(key) ?? [])])]),
  );
}

function identityOf({ kind, name, namespace }: Subject): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function userOf({ kind, name, namespace = '' }: Subject): User {
  if (kind === 'User') return { name, groups: [] };
  // Every user is in the group of the authenticated ones.
  if (kind === 'Group')
    return { name: 'anybody', groups: name.startsWith('system:') ? [] : [name] };
  const account = { namespace, name };
  return { name: serviceAccountUserName(account), groups: serviceAccountGroups(namespace) };
}
