import { expect, test } from 'vitest';
import { composeScene } from './scene.ts';
import { whatToTry } from './what-to-try.ts';

const lines = whatToTry(composeScene(['rome', 'milan']), (cluster) => `/k/${cluster}.kubeconfig`);

test('whatToTry() says how to be either cluster', () => {
  expect(lines.filter((line) => line.includes('export'))).toEqual([
    '  export KUBECONFIG=/k/rome.kubeconfig',
    '  export KUBECONFIG=/k/milan.kubeconfig',
  ]);
});

test('whatToTry() names the things that are there', () => {
  const commands = lines.map((line) => line.trim().replace(/ +#.*$/, ''));
  expect(commands).toContain('kubectl describe node mynode');
  expect(commands).toContain('kubectl logs -n shop deployment/web -f');
  expect(commands).toContain('kubectl delete virtualnode -n liqo-tenant-milan mynode');
  expect(commands).toContain('kubectl get pods,shadowpods -n shop-rome');
});
