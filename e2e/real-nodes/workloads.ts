import { callerImage, shellImage } from './test-images.ts';

/** The parts of a container and of a pod that a test cares about. */
export interface PodWish {
  readonly container?: object;
  readonly spec?: object;
}

export function containerOf(script: string, more: object = {}): object {
  return {
    name: 'main',
    image: shellImage,
    imagePullPolicy: 'Never',
    command: ['sh', '-c', script],
    ...more,
  };
}

/** A pod whose only container is this shell script. It has no patience with those who end it. */
export function podOf(name: string, script: string, wish: PodWish = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [containerOf(script, wish.container)],
      ...wish.spec,
    },
  };
}

/** On port 8080, says its own name at the root, and who asks at `cgi-bin/caller`; `large` takes a while. */
const webScript = `mkdir -p /tmp/www/cgi-bin && cd /tmp/www && hostname >index.html
head -c 4000000 /dev/zero >large
printf '#!/bin/sh\\necho\\necho $REMOTE_ADDR\\n' >cgi-bin/caller && chmod +x cgi-bin/caller
exec httpd -f -p 8080`;

const webProbe = { readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 } };

export function webPod(name: string): object {
  return podOf(name, webScript, { container: webProbe });
}

export function webDeployment(name: string, replicas: number, more: object = {}): object {
  const labels = { app: name };
  const spec = {
    terminationGracePeriodSeconds: 1,
    containers: [containerOf(webScript, webProbe)],
    // One on every node, as far as there are nodes.
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels },
      },
    ],
    ...more,
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

export function serviceOf(app: string): object {
  const spec = { selector: { app }, ports: [{ port: 80, targetPort: 8080 }] };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: app }, spec };
}

/** Waits to be told which calls to make, as its service account. */
export function callerPod(name: string): object {
  return podOf(name, 'exec sleep 3600', { container: { image: callerImage } });
}
