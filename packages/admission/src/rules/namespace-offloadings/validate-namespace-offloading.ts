import { fixedNames } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import { remoteNamespaceName } from '@liqo/model';
import { isWrite } from '../../review/is-write.ts';
import { newProblems, type Problem, refuse } from '../../review/problems.ts';
import { textAt } from '../../review/value-at.ts';
import { unchanged, type Verdict } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';

const anywhere = 'LocalAndRemote';

/** What its schema cannot say. That the strategy and the name at the providers do not change is in the schema. */
export function namespaceOffloadingRule(parts: { readonly ownClusterID: string }): Rule {
  return {
    path: '/validate/namespace-offloading',
    review(request) {
      if (!isWrite(request)) return unchanged;
      const { object, oldObject } = request;
      const problems = newProblems((one) => problemsOf(one, parts.ownClusterID), request);
      return problems.length > 0
        ? refuse(problems)
        : warn(strategyOf(oldObject), strategyOf(object));
    },
  };
}

function problemsOf(object: KubeObject, ownClusterID: string): readonly Problem[] {
  const { name, namespace = '' } = object.metadata ?? {};
  const problems: Problem[] = [];
  if (name !== fixedNames.namespaceOffloading) {
    const message = `a namespace has one NamespaceOffloading, "${fixedNames.namespaceOffloading}"`;
    problems.push({ path: 'metadata.name', message });
  }
  if (textAt(object, 'spec', 'namespaceMappingStrategy') !== 'SelectedName') return problems;
  const spec = {
    namespaceMappingStrategy: 'SelectedName',
    podOffloadingStrategy: anywhere,
    remoteNamespaceName: textAt(object, 'spec', 'remoteNamespaceName') ?? '',
  } as const;
  const chosen = remoteNamespaceName(namespace, spec, ownClusterID);
  if (chosen.type === 'name') return problems;
  return [...problems, { path: 'spec.remoteNamespaceName', message: chosen.message }];
}

function strategyOf(object: unknown): string | undefined {
  return textAt(object, 'spec', 'podOffloadingStrategy');
}

/** Pods that exist are not moved. */
function warn(before: string | undefined, after: string | undefined): Verdict {
  const isStricter = before !== undefined && after !== before && after !== anywhere;
  if (!isStricter) return unchanged;
  const warning = `spec.podOffloadingStrategy: pods that exist stay where they are; delete those that "${after}" does not allow`;
  return { allowed: true, warnings: [warning] };
}
