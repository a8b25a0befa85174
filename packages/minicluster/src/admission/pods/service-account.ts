import { type Clock, jitter, type Pod, type Random, ServiceAccount, sleep } from '@liqo/kube';
import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { Store } from '../../store/store.ts';
import type { Admission, AdmissionAttributes } from '../admission.ts';
import { readOne } from '../read-store.ts';
import { forbid, namespaceOf } from '../request-scope.ts';
import { podBeingCreated, withSpec } from './pod-creation.ts';
import { mountToken } from './token-volume.ts';

export interface ServiceAccountOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

const defaultName = 'default';
/** The default account comes by itself soon after its namespace: it is waited for. */
const attempts = 10;
const pauseMs = 150;

/** Every pod has a service account, and gets what belongs to it: a token, and secrets to pull images with. */
export function serviceAccount(options: ServiceAccountOptions): Admission {
  return {
    name: 'ServiceAccount',
    async mutate(attributes) {
      const pod = podBeingCreated(attributes);
      if (!pod?.spec) return attributes.object;
      const name = pod.spec.serviceAccountName || defaultName;
      const account = await findAccount(options, attributes, name);
      const wantsToken = pod.spec.automountServiceAccountToken ?? tokenByDefault(account);
      const spec = wantsToken ? mountToken(pod.spec, options.random) : pod.spec;
      const named = { ...spec, serviceAccountName: name, serviceAccount: name };
      return withSpec(attributes.object, { ...named, ...pullSecrets(pod, account) });
    },
    async validate(attributes) {
      const pod = podBeingCreated(attributes);
      if (!pod) return;
      const name = pod.spec?.serviceAccountName;
      const { namespace, name: podName } = pod.metadata ?? {};
      if (name) await findAccount(options, attributes, name);
      else throw forbid(attributes, `no service account specified for pod ${namespace}/${podName}`);
    },
  };
}

function tokenByDefault({ automountServiceAccountToken = true }: ServiceAccount): boolean {
  return automountServiceAccountToken;
}

function pullSecrets(pod: Pod, account: ServiceAccount): Partial<PodSpec> {
  const own = pod.spec?.imagePullSecrets ?? [];
  const { imagePullSecrets = [] } = account;
  if (own.length > 0 || imagePullSecrets.length === 0) return {};
  return { imagePullSecrets: imagePullSecrets.map((secret) => ({ ...secret })) };
}

async function findAccount(
  { store, clock, random }: ServiceAccountOptions,
  attributes: AdmissionAttributes,
  name: string,
): Promise<ServiceAccount> {
  const namespace = namespaceOf(attributes);
  for (let attempt = 1; ; attempt++) {
    const account = readOne(store, ServiceAccount, { namespace, name });
    if (account) return account;
    if (name !== defaultName || attempt === attempts) break;
    await sleep(clock, jitter(random, pauseMs, 1 / 3), attributes.signal);
  }
  const lookup = `error looking up service account ${namespace}/${name}`;
  throw forbid(attributes, `${lookup}: serviceaccount "${name}" not found`);
}
