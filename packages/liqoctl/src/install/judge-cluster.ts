import { checkDnsLabel, type Node } from '@liqo/kube';

/** What was found before anything is changed. */
export interface ClusterFacts {
  readonly gitVersion: string;
  readonly nodes: readonly Node[];
  /** Of an earlier installation. */
  readonly clusterID: string | undefined;
  /** Whether a release of Helm owns that installation. */
  readonly isOfHelm: boolean;
  /** What the user may not do: `create customresourcedefinitions`. */
  readonly missingRights: readonly string[];
}

/** Why Liqo is not installed, and what to do. */
export interface Refusal {
  readonly why: string;
  readonly hint: string;
}

/** ValidatingAdmissionPolicies are stable from here on. */
const oldestMinor = 30;

export function judgeCluster(
  facts: ClusterFacts,
  wantedID: string | undefined,
): Refusal | undefined {
  const { gitVersion, clusterID, isOfHelm, missingRights } = facts;
  const minor = Number(/^v?1\.(\d+)/.exec(gitVersion)?.[1] ?? Number.NaN);
  if (minor < oldestMinor) {
    const why = `the cluster runs Kubernetes ${gitVersion}, which has no stable ValidatingAdmissionPolicies`;
    return { why, hint: `Upgrade it to Kubernetes 1.${oldestMinor} or later` };
  }
  if (missingRights.length > 0) {
    const why = `you may not ${missingRights.join(', ')}`;
    return { why, hint: 'Use credentials of an administrator with --context or --user' };
  }
  if (isOfHelm) {
    const why = 'a release of Helm has installed it';
    return {
      why,
      hint: 'Upgrade it with helm: helm upgrade liqo charts/liqo -n liqo --reuse-values',
    };
  }
  if (clusterID !== undefined && wantedID !== undefined && clusterID !== wantedID) {
    const why = `this cluster is "${clusterID}" already, and its peers know it by that ID`;
    return { why, hint: `Leave out --cluster-id, or uninstall Liqo first` };
  }
  return undefined;
}

/** An ID for a cluster that has none: letters and digits of chance. */
export function chooseClusterID(random: () => number): string {
  const digits = Array.from({ length: 8 }, () => Math.floor(random() * 36).toString(36)).join('');
  return `cluster-${digits}`;
}

export function checkClusterID(id: string): readonly string[] {
  const longest = 51;
  return id.length > longest ? [`is longer than ${longest} characters`] : checkDnsLabel(id);
}
