import { fixedNames, NamespaceOffloading } from '@liqo/api';
import { apiVersionOf, type LabelQuery } from '@liqo/kube';

type Spec = NamespaceOffloading['spec'];
type Term = NonNullable<Spec['clusterSelector']>['nodeSelectorTerms'][number];
type Expression = NonNullable<Term['matchExpressions']>[number];
type Requirement = LabelQuery['requirements'][number];

/** What a person says about the offloading of a namespace. */
export interface OffloadingWishes {
  readonly namespace: string;
  readonly namespaceMappingStrategy: Spec['namespaceMappingStrategy'];
  readonly podOffloadingStrategy: Spec['podOffloadingStrategy'];
  readonly remoteNamespaceName: string | undefined;
  /** One of them has to hold; none select every provider. */
  readonly selectors: readonly LabelQuery[];
  readonly globalLabels: Readonly<Record<string, string>>;
  readonly globalAnnotations: Readonly<Record<string, string>>;
}

/** The manifest of a NamespaceOffloading, as it is printed and as it is created. */
export function forgeNamespaceOffloading(wishes: OffloadingWishes): NamespaceOffloading {
  const { globalLabels, globalAnnotations, remoteNamespaceName, selectors } = wishes;
  return {
    apiVersion: apiVersionOf(NamespaceOffloading),
    kind: NamespaceOffloading.kind,
    metadata: {
      name: fixedNames.namespaceOffloading,
      namespace: wishes.namespace,
      ...(!isEmpty(globalLabels) && { labels: { ...globalLabels } }),
      ...(!isEmpty(globalAnnotations) && { annotations: { ...globalAnnotations } }),
    },
    spec: {
      namespaceMappingStrategy: wishes.namespaceMappingStrategy,
      podOffloadingStrategy: wishes.podOffloadingStrategy,
      ...(remoteNamespaceName !== undefined && { remoteNamespaceName }),
      ...(selectors.length > 0 && {
        clusterSelector: { nodeSelectorTerms: selectors.map(termOf) },
      }),
    },
    status: {},
  };
}

function termOf({ requirements }: LabelQuery): Term {
  return { matchExpressions: requirements.map(expressionOf) };
}

const operators: Readonly<Record<Requirement['operator'], Expression['operator']>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
  '>': 'Gt',
  '<': 'Lt',
};

function expressionOf({ key, operator, values }: Requirement): Expression {
  return { key, operator: operators[operator], ...(values.length > 0 && { values: [...values] }) };
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}
