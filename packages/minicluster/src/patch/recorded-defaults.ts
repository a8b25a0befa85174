import { deepEqual, isJsonObject } from '@liqo/kube';

/**
 * The server fills in defaults, and a few fields of its own, before it answers; these functions do not. So that its
 * recorded answers can be compared all the same, `ours` gets what the recording has beyond it, but only what is listed
 * here.
 */
export function withRecordedDefaults(ours: unknown, recorded: unknown, path = ''): unknown {
  if (Array.isArray(ours) && Array.isArray(recorded)) {
    return ours.map((item, index) => withRecordedDefaults(item, recorded[index], `${path}[]`));
  }
  if (!isJsonObject(ours) || !isJsonObject(recorded)) return ours;
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  const filled = Object.entries(ours).map(([key, value]) => [
    key,
    withRecordedDefaults(value, recorded[key], below(key)),
  ]);
  const added = Object.entries(recorded).filter(
    ([key, value]) => !Object.hasOwn(ours, key) && isDefault(below(key), value),
  );
  return Object.fromEntries([...filled, ...added]);
}

function isDefault(path: string, value: unknown): boolean {
  const inPod = path.replace(/^spec\.template\.spec/, 'spec');
  return (defaults[inPod] ?? []).some((known) => deepEqual(known, value));
}

const defaults: Readonly<Record<string, readonly unknown[]>> = {
  type: ['Opaque'],
  'metadata.labels': [{ 'kubernetes.io/metadata.name': 'x' }],
  'metadata.labels.kubernetes.io/metadata.name': ['x'],
  'spec.clusterIP': ['10.96.0.1'],
  'spec.clusterIPs': [['10.96.0.1']],
  'spec.containers[].env[].valueFrom.fieldRef.apiVersion': ['v1'],
  'spec.containers[].imagePullPolicy': ['Always', 'IfNotPresent'],
  'spec.containers[].ports[].protocol': ['TCP'],
  'spec.containers[].readinessProbe.failureThreshold': [3],
  'spec.containers[].readinessProbe.httpGet.path': ['/'],
  'spec.containers[].readinessProbe.httpGet.scheme': ['HTTP'],
  'spec.containers[].readinessProbe.periodSeconds': [10],
  'spec.containers[].readinessProbe.successThreshold': [1],
  'spec.containers[].readinessProbe.timeoutSeconds': [1],
  'spec.containers[].terminationMessagePath': ['/dev/termination-log'],
  'spec.containers[].terminationMessagePolicy': ['File'],
  'spec.dnsPolicy': ['ClusterFirst'],
  'spec.enableServiceLinks': [true],
  'spec.finalizers': [['kubernetes']],
  'spec.ingress[].ports[].protocol': ['TCP'],
  'spec.internalTrafficPolicy': ['Cluster'],
  'spec.ipFamilies': [['IPv4']],
  'spec.ipFamilyPolicy': ['SingleStack'],
  'spec.items[].zone': ['k1'],
  'spec.metrics': [
    [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
      },
    ],
  ],
  'spec.policyTypes': [['Ingress']],
  'spec.ports[].protocol': ['TCP'],
  'spec.ports[].targetPort': [80, 81, 82],
  'spec.preemptionPolicy': ['PreemptLowerPriority'],
  'spec.priority': [0],
  'spec.progressDeadlineSeconds': [600],
  'spec.replicas': [1],
  'spec.restartPolicy': ['Always'],
  'spec.revisionHistoryLimit': [10],
  'spec.schedulerName': ['default-scheduler'],
  'spec.securityContext': [{}],
  'spec.serviceAccount': ['sa1', 'sa2'],
  'spec.sessionAffinity': ['None'],
  'spec.sessionAffinityConfig': [{ clientIP: { timeoutSeconds: 10800 } }],
  'spec.strategy.rollingUpdate': [{ maxUnavailable: '25%', maxSurge: '25%' }],
  'spec.strategy.rollingUpdate.maxSurge': ['25%'],
  'spec.strategy.rollingUpdate.maxUnavailable': ['25%'],
  'spec.strategy.type': ['RollingUpdate'],
  'spec.taints': [[{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]],
  'spec.terminationGracePeriodSeconds': [30],
  'spec.tolerations': [['not-ready', 'unreachable'].map(tolerateFiveMinutes)],
  'spec.type': ['ClusterIP'],
  'spec.volumes[].configMap.defaultMode': [420],
  'spec.volumes[].emptyDir': [{}],
  'status.allocatable': [{ cpu: '4' }],
  'status.phase': ['Active', 'Pending'],
  'status.qosClass': ['BestEffort', 'Burstable'],
};

function tolerateFiveMinutes(reason: string): object {
  return {
    key: `node.kubernetes.io/${reason}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  };
}
