import { type ApiCall, isWrite } from '@liqo/testkit/faults';

/** How long nothing happens. */
export const restMs = 70_000;

interface Allowance {
  readonly verb: string;
  readonly resource: string;
  /** By one caller about one object, within the rest. */
  readonly most: number;
}

const allowances: readonly Allowance[] = [
  // Whoever leads says so every nine seconds or more.
  { verb: 'update', resource: 'leases.coordination.k8s.io', most: 8 },
  // A node that is well says so every five minutes.
  { verb: 'patch', resource: 'nodes/status', most: 1 },
  // Whoever cannot do something goes on saying so, and how often is counted after 10, 30 and 70 seconds, then less often.
  { verb: 'patch', resource: 'events.events.k8s.io', most: 3 },
  // A root certificate that went with its namespace, unnoticed: nobody needs it before there are pods, and then it is brought.
  { verb: 'patch', resource: 'configmaps', most: 1 },
];

/** What is written though nothing has happened, more often than a sign of life. */
export function findRestless(calls: readonly ApiCall[]): string[] {
  const times = new Map<string, number>();
  const restless = new Set<string>();
  for (const call of calls.filter(isWrite)) {
    const what = describeCall(call);
    const count = (times.get(what) ?? 0) + 1;
    times.set(what, count);
    if (count > mostOf(call)) restless.add(what);
  }
  return [...restless].map((what) => {
    return `${what}, ${times.get(what)} times, though nothing has happened`;
  });
}

function mostOf(call: ApiCall): number {
  const allowed = allowances.find(
    ({ verb, resource }) => call.verb === verb && call.resource === resource,
  );
  return allowed?.most ?? 0;
}

export function describeCall({ who, verb, resource, namespace, name }: ApiCall): string {
  return [who, verb, resource, [namespace, name].filter(Boolean).join('/')].join(' ');
}
