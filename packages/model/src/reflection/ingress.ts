import { Ingress, ownMember, type Stored } from '@liqo/kube';
import { chooseOfferedClass, warnOfClass } from './offered-class.ts';
import { planReflection, type ReflectionWarning } from './plan-reflection.ts';
import type { ReflectionRoute } from './reflection-route.ts';

type IngressSpec = NonNullable<Ingress['spec']>;

/** How a class was named before `spec.ingressClassName`. Controllers of the provider would take the copy for theirs. */
const classAnnotation = 'kubernetes.io/ingress.class';

const copied = ['defaultBackend', 'rules', 'tls'] as const satisfies readonly (keyof IngressSpec)[];

/** The Services and Secrets that an Ingress names have the same names at the provider. Its class is one of the provider. */
export const planIngress = planReflection<Ingress>({
  kind: Ingress,
  annotationsNotReflected: [classAnnotation],
  verbatim: copied.map((field) => ['spec', field]),
  warn: warnOfMissingClass,
  forge: (local, route) => {
    const ingressClassName = classOf(local, route);
    return { spec: { ...copyFields(local), ...(ingressClassName && { ingressClassName }) } };
  },
});

function copyFields({ spec = {} }: Ingress): IngressSpec {
  return Object.fromEntries(
    copied.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
  );
}

/** None if the provider offers none: its own default class serves the copy then, if it has one. */
function classOf(local: Stored<Ingress>, { offered }: ReflectionRoute): string | undefined {
  const classes = offered?.ingressClasses?.map(({ ingressClassName, ...one }) => ({
    ...one,
    name: ingressClassName,
  }));
  return chooseOfferedClass(namedClass(local), classes ?? []);
}

function namedClass({ metadata, spec }: Stored<Ingress>): string | undefined {
  return spec?.ingressClassName ?? ownMember(metadata.annotations, classAnnotation);
}

function warnOfMissingClass(
  local: Stored<Ingress>,
  { wanted, remote }: { wanted: Pick<Ingress, 'spec'>; remote: Stored<Ingress> | undefined },
  { providerClusterID }: ReflectionRoute,
): ReflectionWarning | undefined {
  // A provider may give a copy without a class its default one.
  const chosen = wanted.spec?.ingressClassName ?? remote?.spec?.ingressClassName;
  const classes = { named: namedClass(local), chosen };
  const subject = `Ingress "${local.metadata.name}"`;
  return warnOfClass(subject, { what: 'ingress', ...classes }, providerClusterID);
}
