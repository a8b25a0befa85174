import { busyboxImageName } from '@liqo/images';
import type { PodTemplate } from '../kubernetes.ts';

const script = `mkdir -p /tmp/www && echo "Hello from $(hostname)" >/tmp/www/index.html
httpd -p 8080 -h /tmp/www
trap exit TERM
while true; do echo "$(date -Iseconds) $(hostname) is open"; sleep 5 & wait $!; done`;

/** The website of real containers. */
export const website: PodTemplate = {
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'web',
        image: busyboxImageName,
        imagePullPolicy: 'Never',
        command: ['sh', '-c', script],
        ports: [{ name: 'http', containerPort: 8080 }],
      },
    ],
  },
};
