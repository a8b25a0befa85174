import { Environment } from '@marcbachmann/cel-js';
import { registerLists } from './cel-lists.ts';
import { registerNetwork } from './cel-network.ts';
import { CelObject, isSameObject } from './cel-object.ts';
import { registerQuantities } from './cel-quantities.ts';
import { registerStrings } from './cel-strings.ts';

/** What rules are written in: CEL with the functions of Kubernetes, and the value as `self` and `oldSelf`. */
export function createCelEnvironment(): Environment {
  return createCelLibrary().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
}

/** CEL with the functions of Kubernetes, without variables. */
export function createCelLibrary(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  });
  environment
    .registerType('kubernetes.Object', { ctor: CelObject })
    .registerOperator('kubernetes.Object == kubernetes.Object', isSameObject);
  registerQuantities(environment);
  registerNetwork(environment);
  registerStrings(environment);
  registerLists(environment);
  return environment;
}
