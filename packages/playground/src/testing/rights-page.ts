import type { Grant } from './rights.ts';

const introduction = `# Rights of every identity

What each identity may do in a pair of peers, the consumer \`rome\` and the provider \`milan\`, with the slice and virtual node \`north\`, the
offloaded namespace \`shop\`, and virtual kubelets that issue tokens (\`--enable-apiserver-support\`). \`[…]\` are the only
names that a right is for. Every user also has what Kubernetes gives to all authenticated users; policies restrict some of these
rights further ([security](security.md)).

A test recomputes the tables from the roles and bindings of a running pair, and compares them with what \`kubectl auth can-i --list\`
shows, that is with the SelfSubjectRulesReviews of the API server. After a change of roles:
\`npx vitest run packages/playground/src/rights.cluster.test.ts --update\`.
`;

/** The page `docs/rights.md` of the grants of each cluster. */
export function renderRights(clusters: ReadonlyMap<string, readonly Grant[]>): string {
  const seen = new Map<string, string>();
  const sections = [...clusters].flatMap(([cluster, grants]) => [
    `\n## In ${cluster}\n`,
    ...grants.map((grant) => {
      const heading = headingOf(grant);
      const table = renderVerbs(grant);
      const first = seen.get(heading + table);
      if (first === undefined) seen.set(heading + table, cluster);
      return `${heading}${first === undefined ? table : `As in ${first}.\n`}`;
    }),
  ]);
  return [introduction, ...sections].join('');
}

function headingOf({ identity, namespace }: Grant): string {
  const place = namespace === '' ? 'in the whole cluster' : `in the namespace \`${namespace}\``;
  return `\n### ${identity}, ${place}\n\n`;
}

function renderVerbs({ verbs }: Grant): string {
  const rows = [...verbs]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, all]) => `| ${resource} | ${[...all].toSorted().join(', ')} |`);
  const head = ['| resource | verbs |', '|---|---|'];
  return `${[...head, ...rows].join('\n')}\n`;
}
