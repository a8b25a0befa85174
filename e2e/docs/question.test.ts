import { expect, test } from 'vitest';
import { isQuestion } from './question.ts';

test.each([
  'kubectl get pods -n shop',
  'kubectl --kubeconfig /tmp/liqo/milan.kubeconfig get pods -n shop-rome',
  'rome get nodes',
  'milan describe pod web',
  'npx liqoctl info',
  'curl http://localhost:8080/',
])('"%s" only asks', (command) => {
  expect(isQuestion(command)).toBe(true);
});

test.each([
  'kubectl delete pods -n shop --all',
  'kubectl --kubeconfig /tmp/liqo/milan.kubeconfig delete pods --all',
  'kubectl create namespace get ',
  'npx liqoctl offload namespace shop',
])('"%s" changes something', (command) => {
  expect(isQuestion(command)).toBe(false);
});
