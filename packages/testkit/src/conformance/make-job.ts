import { type Client, Job, Pod } from '@liqo/kube';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { podTemplate } from './play-kubelet.ts';
import { freshNamespace, type Subject } from './subject.ts';

/** The Job controller of Kubernetes gathers the changes of a second before it acts. */
export const patiently = { timeoutMs: 30_000 };
export const patientTest = { timeout: 120_000 };

/** A Job whose pods nobody runs, in a namespace of its own. */
export async function makeJob(subject: Subject, spec: object = {}) {
  const { client } = subject;
  const key = { namespace: await freshNamespace(subject), name: 'sum' };
  const template = podTemplate({ app: 'sum' });
  const podSpec = { ...template.spec, restartPolicy: 'Never' };
  const made = await client.create(Job, {
    metadata: key,
    spec: { template: { ...template, spec: podSpec }, ...spec },
  });
  const status = async () => (await client.get(Job, key))?.status;
  return { client, key, made, namespace: key.namespace, status };
}

/** Waits for so many pods that nobody has run yet, in the order of their names. */
export function untilActive(client: Client, namespace: string, count: number) {
  return eventually(async () => {
    const { items } = await client.list(Pod, { namespace });
    const active = items.filter(({ status }) => status?.phase === 'Pending');
    expect(active).toHaveLength(count);
    return active;
  }, patiently);
}

export function briefly(
  conditions:
    | readonly { type: string; status: string; reason?: string; message?: string }[]
    | undefined,
): readonly string[] {
  return (conditions ?? []).map(
    ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
  );
}
