import type { Client } from '@liqo/kube';
import { ControllerContext, type ControllerOptions } from './controller-context.ts';
import { startCronJobController } from './cron-job/cron-job-controller.ts';
import { startDaemonSetController } from './daemon-set/daemon-set-controller.ts';
import { startDeploymentController } from './deployment/deployment-controller.ts';
import { startDisruptionController } from './disruption/disruption-controller.ts';
import { startEndpointsController } from './endpoints/endpoints-controller.ts';
import { startGarbageCollector } from './garbage-collector/garbage-collector.ts';
import { startJobController } from './job/job-controller.ts';
import { startNamespaceController } from './namespace/namespace-controller.ts';
import { startNodeLifecycleController } from './node-lifecycle/node-lifecycle-controller.ts';
import { startTaintEvictionController } from './node-lifecycle/taint-eviction-controller.ts';
import { startPodGcController } from './pod-gc/pod-gc-controller.ts';
import { startReplicaSetController } from './replica-set/replica-set-controller.ts';
import { startRootCertificateController } from './root-certificate-controller.ts';
import { startServiceAccountController } from './service-account-controller.ts';
import { startStatefulSetController } from './stateful-set/stateful-set-controller.ts';
import { startVolumeBindingController } from './volume-binding/volume-binding-controller.ts';

export interface ControllersOptions extends ControllerOptions {
  /** What pods are to trust as the API server's authority, in PEM form. */
  readonly rootCertificate: string;
  /** By plural: controllers of what is not served do not run. */
  isServed(plural: string): boolean;
}

const controllers = [
  ['services', startEndpointsController],
  ['replicasets', startReplicaSetController],
  ['deployments', startDeploymentController],
  ['statefulsets', startStatefulSetController],
  ['daemonsets', startDaemonSetController],
  ['jobs', startJobController],
  ['cronjobs', startCronJobController],
  ['poddisruptionbudgets', startDisruptionController],
  ['nodes', startNodeLifecycleController],
  ['nodes', startTaintEvictionController],
  ['nodes', startPodGcController],
  ['persistentvolumeclaims', startVolumeBindingController],
] as const;

/**
 * What kube-controller-manager does, as a client of any API server. Disposing of it waits for the work in progress; the
 * client stays open.
 */
export function startControllers(client: Client, options: ControllersOptions): AsyncDisposable {
  const context = new ControllerContext(client, options);
  startNamespaceController(context);
  startGarbageCollector(context);
  startServiceAccountController(context);
  startRootCertificateController(context, options.rootCertificate);
  for (const [plural, startController] of controllers) {
    if (options.isServed(plural)) startController(context);
  }
  const started = context.start();
  return {
    [Symbol.asyncDispose]: async () => {
      await context[Symbol.asyncDispose]();
      await started;
    },
  };
}
