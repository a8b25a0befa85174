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

export interface ControllersOptions extends ControllerOptions {
  /** What pods are to trust as the API server's authority, in PEM form. */
  readonly rootCertificate: string;
}

/**
 * What kube-controller-manager does, as a client of any API server. Disposing of it waits for the work in progress; the
 * client stays open.
 */
export function startControllers(client: Client, options: ControllersOptions): AsyncDisposable {
  const context = new ControllerContext(client, options);
  startNamespaceController(context);
  startGarbageCollector(context);
  startServiceAccountController(context);
  startEndpointsController(context);
  startRootCertificateController(context, options.rootCertificate);
  startReplicaSetController(context);
  startDeploymentController(context);
  startStatefulSetController(context);
  startDaemonSetController(context);
  startJobController(context);
  startCronJobController(context);
  startDisruptionController(context);
  startNodeLifecycleController(context);
  startTaintEvictionController(context);
  startPodGcController(context);
  const started = context.start();
  return {
    [Symbol.asyncDispose]: async () => {
      await context[Symbol.asyncDispose]();
      await started;
    },
  };
}
