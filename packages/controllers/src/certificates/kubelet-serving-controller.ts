import { CertificateSigningRequest } from '@liqo/kube';
import { primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { kubeletServingSigner, ServingRequestReconciler } from './reconcile-serving-request.ts';

/** At a consumer: approves the serving certificates of virtual kubelets, and of nobody else. */
export function startKubeletServingController(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const requests = loop.watch(CertificateSigningRequest, {
    fieldSelector: `spec.signerName=${kubeletServingSigner}`,
  });
  const reconciler = new ServingRequestReconciler({ ...context, requests });
  return loop.run({
    name: 'kubeletserving',
    sources: [primary(requests)],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}
