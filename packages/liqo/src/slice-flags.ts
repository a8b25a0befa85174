import { checkLabelValue, checkQualifiedName, parseQuantity } from '@liqo/kube';
import { defaultValues } from '@liqo/manifests';
import type { ControllerManagerOptions } from './controller-manager.ts';
import { type FlagValues, UsageError } from './flags.ts';

const { slices } = defaultValues;

/** What a provider grants its consumers. */
export const sliceFlags = {
  'enable-resource-enforcement': {
    type: 'boolean',
    default: 'false',
    help: 'whether pods of consumers beyond their Quotas wait until there is room',
  },
  'default-limits-enforcement': {
    type: 'string',
    default: slices.defaultLimitsEnforcement,
    help: 'of the Quotas of slices: None, Soft or Hard, in any case',
  },
  'default-resource-slice-class-enabled': {
    type: 'boolean',
    default: String(slices.enableDefaultClass),
    help: 'whether slices of the class "default" are granted; otherwise they are denied',
  },
  'default-node-resources': {
    type: 'words',
    default: slices.defaultNodeResources.join(),
    help: 'granted to slices that do not ask for them: cpu=4,memory=8Gi',
  },
  'cluster-labels': {
    type: 'words',
    default: slices.nodeLabels.join(),
    help: 'labels for the virtual nodes of consumers: key=value',
  },
  'enable-storage': {
    type: 'boolean',
    default: String(slices.offerStorageClasses),
    help: 'whether slices offer the storage classes of this cluster',
  },
  'real-storage-class-name': {
    type: 'string',
    default: slices.defaultStorageClass,
    help: 'the storage class offered as default; the default one of this cluster when empty',
  },
  'ingress-classes': {
    type: 'words',
    default: slices.ingressClasses.join(),
    help: 'ingress classes that slices offer, one of them marked as in "nginx;default"',
  },
  'load-balancer-classes': {
    type: 'words',
    default: slices.loadBalancerClasses.join(),
    help: 'load balancer classes that slices offer, likewise',
  },
} as const;

type Values = FlagValues<typeof sliceFlags> & {
  readonly 'consumer-storage-classes': readonly string[];
};

type SliceOptions = Pick<
  ControllerManagerOptions,
  'defaultClass' | 'enforceQuotas' | 'limitsEnforcement' | 'storage'
>;

/** What the flags say, to the controllers; throws for what would make every slice or Quota invalid. */
export function readSliceFlags(command: string, values: Values): SliceOptions {
  const fail = (flag: string, fact: string): never => {
    throw new UsageError(`Cannot run "liqo ${command}": "--${flag}": ${fact}`);
  };
  const pairs = (flag: 'cluster-labels' | 'default-node-resources') =>
    readPairs(values[flag], (word) => fail(flag, `"${word}" is not of the form key=value`));
  const resources = pairs('default-node-resources');
  const [malformed] = Object.entries(resources).filter(([, amount]) => !isAmount(amount));
  if (malformed) fail('default-node-resources', `"${malformed.join('=')}" is not an amount`);
  const nodeLabels = pairs('cluster-labels');
  const [badLabel] = Object.entries(nodeLabels).filter(([key, value]) => !isLabel(key, value));
  if (badLabel) fail('cluster-labels', `"${badLabel.join('=')}" is not a label`);
  const enforcement = readEnforcement(values['default-limits-enforcement']);
  return {
    enforceQuotas: values['enable-resource-enforcement'],
    limitsEnforcement:
      enforcement ??
      fail(
        'default-limits-enforcement',
        `"${values['default-limits-enforcement']}" is not None, Soft or Hard`,
      ),
    defaultClass: {
      isEnabled: values['default-resource-slice-class-enabled'],
      resources,
      ...(Object.keys(nodeLabels).length > 0 && { nodeLabels }),
      ...readClasses('ingressClasses', 'ingressClassName', values['ingress-classes']),
      ...readClasses(
        'loadBalancerClasses',
        'loadBalancerClassName',
        values['load-balancer-classes'],
      ),
    },
    ...(values['enable-storage'] && {
      storage: {
        allowed: values['consumer-storage-classes'],
        defaultClass: values['real-storage-class-name'],
      },
    }),
  };
}

function readPairs(
  words: readonly string[],
  fail: (word: string) => never,
): Readonly<Record<string, string>> {
  const pairs = words.map((word) => {
    const at = word.indexOf('=');
    return at < 1 ? fail(word) : ([word.slice(0, at), word.slice(at + 1)] as const);
  });
  return Object.fromEntries(pairs);
}

function isAmount(text: string): boolean {
  try {
    return parseQuantity(text).mantissa >= 0n;
  } catch {
    return false;
  }
}

function isLabel(key: string, value: string): boolean {
  return checkQualifiedName(key).length === 0 && checkLabelValue(value).length === 0;
}

/** The binary of Liqo v1.2 has `none` as its default, which no Quota can have. */
function readEnforcement(text: string): 'Hard' | 'None' | 'Soft' | undefined {
  const known = ['Hard', 'None', 'Soft'] as const;
  return known.find((one) => one.toLowerCase() === text.toLowerCase());
}

function readClasses<List extends string, Name extends string>(
  list: List,
  name: Name,
  words: readonly string[],
) {
  const classes = words.map((word) => {
    const [className = '', mark] = word.split(';');
    const named = { [name]: className } as Record<Name, string>;
    return { ...named, ...(mark === 'default' && { default: true }) };
  });
  return (classes.length > 0 ? { [list]: classes } : {}) as Partial<
    Record<List, (Record<Name, string> & { default?: boolean })[]>
  >;
}
