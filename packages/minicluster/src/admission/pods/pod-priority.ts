import { type KubeObject, type Pod, PriorityClass } from '@liqo/kube';
import type { Store } from '../../store/store.ts';
import type { Admission, AdmissionAttributes } from '../admission.ts';
import { readAll, readOne } from '../read-store.ts';
import { forbid, isAbout } from '../request-scope.ts';
import { isPodWrite, withSpec } from './pod-creation.ts';

/** The class by which a pod without one is judged when no class claims to be the default. */
const noClass: PriorityClass = { value: 0, preemptionPolicy: 'PreemptLowerPriority' };

/** What the name of a priority class means for the pod, in numbers. */
export function podPriority(store: Store): Admission {
  const defaultClass = () => chooseDefault(readAll(store, PriorityClass));
  return {
    name: 'Priority',
    async mutate(attributes) {
      const { object, operation } = attributes;
      if (!isPodWrite(attributes) || !object) return object;
      if (operation === 'UPDATE') return keepPriority(object, attributes.previous as Pod);
      const { priorityClassName: name } = (object as Pod).spec ?? {};
      const chosen = name ? readOne(store, PriorityClass, { name }) : defaultClass();
      if (name && !chosen) throw forbid(attributes, `no PriorityClass with name ${name} was found`);
      return withPriority(attributes, object, chosen ?? noClass);
    },
    async validate(attributes) {
      if (!isAbout(attributes, 'priorityclasses', 'scheduling.k8s.io')) return;
      refuseSecondDefault(attributes, defaultClass()?.metadata?.name);
    },
  };
}

/** Of several the lowest: they can only have come by a race. */
function chooseDefault(classes: readonly PriorityClass[]): PriorityClass | undefined {
  const claimants = classes.filter(({ globalDefault }) => globalDefault);
  return claimants.toSorted((a, b) => a.value - b.value)[0];
}

function withPriority(
  attributes: AdmissionAttributes,
  object: KubeObject,
  chosen: PriorityClass,
): KubeObject {
  const { spec } = object as Pod;
  const { value, preemptionPolicy, metadata } = chosen;
  refuseOther(attributes, 'integer value of priority', spec?.priority, value);
  refuseOther(
    attributes,
    'string value of PreemptionPolicy',
    spec?.preemptionPolicy,
    preemptionPolicy,
  );
  return withSpec(object, {
    ...(metadata?.name && { priorityClassName: metadata.name }),
    priority: value,
    ...(preemptionPolicy && { preemptionPolicy }),
  });
}

function refuseOther(
  attributes: AdmissionAttributes,
  what: string,
  given: string | number | undefined,
  computed: string | number | undefined,
): void {
  if (given === undefined || computed === undefined || given === computed) return;
  const why = `the ${what} (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
  throw forbid(attributes, why);
}

/** Clients that do not know these fields send them back empty. */
function keepPriority(object: KubeObject, previous: Pod): KubeObject {
  const { priority, preemptionPolicy } = previous.spec ?? {};
  const next = (object as Pod).spec ?? {};
  return withSpec(object, {
    ...('priority' in next || priority === undefined ? {} : { priority }),
    ...('preemptionPolicy' in next || !preemptionPolicy ? {} : { preemptionPolicy }),
  });
}

function refuseSecondDefault(attributes: AdmissionAttributes, present: string | undefined): void {
  const { object, operation } = attributes;
  const next = object as PriorityClass | undefined;
  if (!next?.globalDefault || present === undefined) return;
  if (operation === 'UPDATE' && present === next.metadata?.name) return;
  const why = `PriorityClass ${present} is already marked as default. Only one default can exist`;
  throw forbid(attributes, why);
}
