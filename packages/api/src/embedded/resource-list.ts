import { hugePagesPrefix, measuredResources, quotaPrefixes } from '@liqo/kube';
import { map, quantity } from '../schema.ts';

/** Quantities by resource name: `{ cpu: '4', memory: '8Gi' }`. */
export const resourceList = map(quantity());

const prefixes = ['', ...quotaPrefixes];
const measured = prefixes.flatMap((prefix) => measuredResources.map((name) => `${prefix}${name}`));
const isMeasured = [
  `name in [${measured.map((name) => `'${name}'`).join(', ')}]`,
  ...prefixes.map((prefix) => `name.startsWith('${prefix}${hugePagesPrefix}')`),
].join(' || ');
const isWhole = 'type(self[name]) == int || quantity(self[name]).isInteger()';

/** A quantity may be as long as a request: for more resources the API server estimates the rule as too expensive. */
const mostResources = 30;

const wholeCounts = {
  rule: `self.all(name, ${isMeasured} || ${isWhole})`,
  message: `pods, and all resources but ${measuredResources.join(', ')} and ${hugePagesPrefix}*, must be whole numbers`,
};

/** What a node, a quota or a slice has. Counted resources are whole numbers: no Node could have such a capacity. */
export const capacity = map(quantity(), {
  maxProperties: mostResources,
  'x-kubernetes-validations': [wholeCounts],
});
