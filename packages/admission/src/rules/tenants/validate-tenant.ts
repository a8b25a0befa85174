import { labels, type Tenant } from '@liqo/api';
import { type KubeObject, keyString, type Namespace, type Stored } from '@liqo/kube';
import { refuseTenant } from '@liqo/model';
import { isWrite, type Write } from '../../review/is-write.ts';
import { newProblems, type Problem, refuse } from '../../review/problems.ts';
import { textAt } from '../../review/value-at.ts';
import { unchanged } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';
import type { Facts } from '../facts.ts';
import { judgeTwice } from '../judge-twice.ts';

export interface TenantRuleParts {
  readonly ownClusterID: string;
  readonly facts: Pick<Facts, 'namespaces' | 'tenants'>;
}

interface Surroundings {
  readonly ownClusterID: string;
  readonly namespaces: readonly Stored<Namespace>[];
  readonly tenants: readonly Stored<Tenant>[];
}

/** A Tenant is in the tenant namespace of its consumer, the only one there, and the only one of its name. */
export function tenantRule({ ownClusterID, facts }: TenantRuleParts): Rule {
  return {
    path: '/validate/tenants',
    review(request, signal) {
      if (!isWrite(request)) return unchanged;
      return judgeTwice(async (source) => {
        const [namespaces, tenants] = await Promise.all([
          facts.namespaces[source](signal),
          facts.tenants[source](signal),
        ]);
        return refuse(problemsOf(request, { ownClusterID, namespaces, tenants }));
      });
    },
  };
}

function problemsOf(request: Write, around: Surroundings): readonly Problem[] {
  const problems = newProblems((object) => problemsOfTenant(object, around), request);
  return request.operation === 'CREATE'
    ? [...problems, ...rivals(request.object, around)]
    : problems;
}

/** The fields that refusals are about, where it is not the cluster ID. */
const paths: ReadonlyMap<string, string> = new Map([
  ['NotInTenantNamespace', 'metadata.namespace'],
  ['InvalidProxyURL', 'spec.proxyURL'],
]);

function problemsOfTenant(object: KubeObject, around: Surroundings): readonly Problem[] {
  const clusterID = textAt(object, 'spec', 'clusterID');
  if (clusterID === undefined) return [{ path: 'spec.clusterID', message: 'it is missing' }];
  const problems: Problem[] = [];
  const proxyURL = textAt(object, 'spec', 'proxyURL');
  const tenant = { metadata: object.metadata, spec: { clusterID, ...(proxyURL && { proxyURL }) } };
  const refusal = refuseTenant(tenant as Stored<Tenant>, { ...around, tenants: [] });
  if (refusal) {
    const path = paths.get(refusal.reason) ?? 'spec.clusterID';
    problems.push({ path, message: refusal.message.replace(`${path} `, '') });
  }
  const label = textAt(object, 'metadata', 'labels', labels.remoteClusterID);
  if (label !== clusterID) {
    const path = `metadata.labels["${labels.remoteClusterID}"]`;
    problems.push({ path, message: `it is not spec.clusterID, "${clusterID}"` });
  }
  return problems;
}

function rivals(object: KubeObject, { tenants }: Surroundings): readonly Problem[] {
  const { name, namespace } = object.metadata ?? {};
  const others = tenants.filter(
    ({ metadata }) => metadata.namespace !== namespace || metadata.name !== name,
  );
  const beside = others.find(({ metadata }) => metadata.namespace === namespace);
  if (beside) {
    const message = `"${namespace}" has the Tenant "${beside.metadata.name}" already: a consumer has one`;
    return [{ path: 'metadata.namespace', message }];
  }
  const namesake = others.find(({ metadata }) => metadata.name === name);
  if (!namesake) return [];
  const message = `the Tenant "${keyString(namesake.metadata)}" has that name already`;
  return [{ path: 'metadata.name', message }];
}
