import {
  ConfigMap,
  Ingress,
  type Kind,
  type KubeObject,
  Secret,
  Service,
  type Stored,
} from '@liqo/kube';
import { configMapNames, planConfigMap } from './config-map.ts';
import { planIngress } from './ingress.ts';
import type { ReflectionPlan } from './plan-reflection.ts';
import type { ReflectionNames } from './reflection-names.ts';
import { planSecret, withoutTokenData } from './secret.ts';
import { planService } from './service.ts';

/** A kind whose copies are of the same kind, and depend on no other objects. */
export interface ReflectedKind<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly plan: ReflectionPlan<T>;
  /** The same on both sides when absent. */
  readonly names?: ReflectionNames;
  /** What is kept of an object of the consumer; everything when absent. */
  readonly readLocal?: (object: Stored<T>) => Stored<T>;
}

/** By their names in flags and in VkOptionsTemplates. Reflectors and rights follow from it. */
export const reflectedKinds = {
  configmap: untyped({ kind: ConfigMap, plan: planConfigMap, names: configMapNames }),
  secret: untyped({ kind: Secret, plan: planSecret, readLocal: withoutTokenData }),
  service: untyped({ kind: Service, plan: planService }),
  ingress: untyped({ kind: Ingress, plan: planIngress }),
} as const;

function untyped<T extends KubeObject>(one: ReflectedKind<T>): ReflectedKind {
  return one as unknown as ReflectedKind;
}
