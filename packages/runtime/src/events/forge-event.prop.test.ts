import type { KubeObject, Stored } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forgeEvent } from './forge-event.ts';

const numRuns = Number(process.env.FUZZED_PROVIDER_OBJECTS ?? 1_000);
/** Many of them take longer than other tests. */
const timeout = 120_000 + numRuns * 10;

const regarding: Stored<KubeObject> = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'shop',
    name: 'web',
    uid: 'uid',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
};
const reporter = { controller: 'liqo.io/virtual-kubelet', instance: 'vk' };
const moment = { eventTime: '2026-01-01T00:00:00.000000Z', suffix: '1' };

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => text.repeat(200)),
  fc.constantFrom('\u001b[2J', '\ud800', 'a\r\nb', '\u202e', 'é'.repeat(2_000)),
);

const controls = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

test('forgeEvent() of whatever a provider says has texts that Kubernetes takes and terminals can print', {
  timeout,
}, () => {
  fc.assert(
    fc.property(texts, texts, (reason, note) => {
      const event = forgeEvent(
        { regarding, type: 'Warning', reason, action: 'Offloading', note },
        reporter,
        moment,
      );
      const written = [
        [event.reason ?? '', 128],
        [event.note ?? '', 1_024],
      ] as const;
      for (const [text, maxBytes] of written) {
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        expect(text).not.toMatch(controls);
      }
    }),
    { numRuns, seed: 4 },
  );
});
