import { checkQualifiedName } from '@liqo/kube';
import type { FlagTable } from './flag.ts';

/** What is asked of a provider; the provider fills in what is not said. */
export const sliceResourceFlags = {
  cpu: { type: 'quantity', value: 'QUANTITY', help: 'CPU to ask for' },
  memory: { type: 'quantity', value: 'QUANTITY', help: 'memory to ask for' },
  pods: { type: 'quantity', value: 'QUANTITY', help: 'pods to ask for' },
  resource: {
    type: 'quantities',
    value: 'NAME=QUANTITY,…',
    help: 'further resources to ask for, such as nvidia.com/gpu=2',
  },
} as const satisfies FlagTable;

/** The class decides at the provider who answers. */
export function checkClass(text: string): readonly string[] {
  return checkQualifiedName(text);
}

interface SaidResources {
  readonly cpu: string | undefined;
  readonly memory: string | undefined;
  readonly pods: string | undefined;
  readonly resource: Readonly<Record<string, string>>;
}

/** The amounts by resource. */
export function resourcesSaid({
  cpu,
  memory,
  pods,
  resource,
}: SaidResources): Record<string, string> {
  const named = Object.entries({ cpu, memory, pods });
  const given = named.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(given), ...resource };
}

/** A resource that has a flag of its own is not also given as one of the others. */
export function checkResources({ resource, ...named }: SaidResources): readonly string[] {
  return Object.entries(named)
    .filter(([name, amount]) => amount !== undefined && Object.hasOwn(resource, name))
    .map(([name]) => `it takes "--${name}" or "--resource=${name}=…", not both`);
}
