import type { Pod, Stored } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldsOf, sampleField } from '../testing/pod-schemas.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { translatePodSpec } from './translate-pod-spec.ts';
import { updateShadowPod } from './update-shadow-pod.ts';

const route = {
  ...romeToMilan,
  consumerApiServer: { host: 'kubernetes.default', port: '443' },
  offloadingPatch: { tolerations: [{ key: 'guests', operator: 'Exists' }] },
};

const entries = fc.dictionary(fc.constantFrom('app', 'tier', 'team'), fc.constantFrom('a', 'b'));

/** Pods with any of the fields that a pod can have, and few values, so that two of them have much in common. */
const pods: fc.Arbitrary<Stored<Pod>> = fc
  .record({
    fields: fc.subarray(fieldsOf('PodSpec').filter((field) => field !== 'containers')),
    image: fc.constantFrom('nginx:1', 'nginx:2'),
    cpu: fc.constantFrom('1', '1000m', '2'),
    labels: entries,
    annotations: entries,
  })
  .map(({ fields, image, cpu, labels, annotations }) =>
    storedPod({
      metadata: { labels, annotations },
      spec: {
        ...Object.fromEntries(fields.map((field) => [field, sampleField('PodSpec', field)])),
        containers: [{ name: 'web', image, resources: { requests: { cpu } } }],
      },
    }),
  );

test('translatePodSpec() of what it has translated changes nothing more, whatever the pod', () => {
  fc.assert(
    fc.property(pods, (pod) => {
      const once = translatePodSpec(pod, route);
      expect(translatePodSpec({ ...pod, spec: once }, route)).toEqual(once);
    }),
  );
});

test('updateShadowPod() has nothing left to do after it was obeyed, whatever came before', () => {
  fc.assert(
    fc.property(pods, pods, (before, after) => {
      const stored = storedShadowPod(forgeShadowPod(before, route));
      const wanted = forgeShadowPod(after, route);
      const written = updateShadowPod(stored, wanted) ?? stored;
      expect(updateShadowPod(written, wanted)).toBeUndefined();
    }),
  );
});

test('updateShadowPod() has nothing to do right after the ShadowPod was made', () => {
  fc.assert(
    fc.property(pods, (pod) => {
      const forged = forgeShadowPod(pod, route);
      expect(updateShadowPod(storedShadowPod(forged), forged)).toBeUndefined();
    }),
  );
});
