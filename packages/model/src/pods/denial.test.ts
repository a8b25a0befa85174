import { ApiError, TransportError } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { denialProblem, isDenial } from './denial.ts';

const webhook = 'admission webhook "shadowpod.validate.liqo.io" denied the request: no';

function answer(code: number, message = 'no'): ApiError {
  return new ApiError({ code, message });
}

describe('isDenial()', () => {
  test.each([400, 403, 405, 413, 422])('takes %d for a denial', (code) => {
    expect(isDenial(answer(code))).toBe(true);
  });

  test.each([401, 404, 408, 409, 410, 429, 500, 503])('takes %d for something else', (code) => {
    expect(isDenial(answer(code))).toBe(false);
  });

  test.each([404, 409, 429, 500])('takes %d of a webhook for a denial', (code) => {
    expect(isDenial(answer(code, webhook))).toBe(true);
  });

  test('takes a broken connection for something else', () => {
    expect(isDenial(new TransportError('reset', { sent: true }))).toBe(false);
    expect(isDenial(new Error(webhook))).toBe(false);
  });
});

describe('denialProblem()', () => {
  const of = (write: 'create' | 'update', message: string) =>
    denialProblem(storedPod(), romeToMilan, write, answer(403, message));

  test.each([
    [
      'create',
      'ShadowPodDenied',
      'Cannot offload pod "web": provider "milan" denies its ShadowPod: exceeded quota',
    ],
    [
      'update',
      'ShadowPodUpdateDenied',
      'Cannot change pod "web" at provider "milan", which denies the update of its ShadowPod: exceeded quota',
    ],
  ] as const)('names pod, provider and its message after a denied %s', (write, reason, message) => {
    expect(of(write, 'exceeded quota')).toEqual({ reason, message });
  });

  test.each(['x'.repeat(5_000), 'é'.repeat(5_000), '🎉'.repeat(5_000)])(
    'has at most 1024 bytes of whole characters',
    (text) => {
      const { message } = of('create', text);
      expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(1024);
      expect(message).toMatch(/[xé🎉]…$/u);
      expect(message).not.toContain('\uFFFD');
    },
  );

  test('has no characters that control a terminal', () => {
    const { message } = of('create', 'one\n\u001b[31mtwo\u0007\u202ethree\u2028\r\n');
    expect(message).toMatch(/: one \[31mtwo three$/);
  });
});
