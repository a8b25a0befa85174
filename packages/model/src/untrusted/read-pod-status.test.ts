import { describe, expect, test } from 'vitest';
import { kubeletStatus } from '../testing/kubelet-status.ts';
import { readPodStatus } from './read-pod-status.ts';

const megabyte = 'x'.repeat(2 ** 20);
const bytesOf = (text = '') => Buffer.byteLength(text);

describe('readPodStatus()', () => {
  test('cuts reasons and messages to the limits of Kubernetes', () => {
    const terminated = { exitCode: 1, reason: megabyte, message: megabyte };
    const waiting = { reason: megabyte, message: megabyte };
    const status = readPodStatus({
      reason: megabyte,
      message: megabyte,
      conditions: [{ type: 'Ready', status: 'False', reason: megabyte, message: megabyte }],
      containerStatuses: [{ name: 'web', state: { waiting }, lastState: { terminated } }],
    });
    const [ready] = status?.conditions ?? [];
    const [web] = status?.containerStatuses ?? [];
    expect([status, ready, web?.state?.waiting].map((one) => bytesOf(one?.reason))).toEqual([
      128, 128, 128,
    ]);
    expect([status, ready, web?.state?.waiting].map((one) => bytesOf(one?.message))).toEqual([
      1_024, 1_024, 1_024,
    ]);
    expect(bytesOf(web?.lastState?.terminated?.message)).toBe(4_096);
  });

  test('divides 12 KiB of termination messages between the containers of a pod, as a kubelet does', () => {
    const terminated = { exitCode: 1, message: megabyte };
    const names = Array.from({ length: 12 }, (_, nth) => `c${nth}`);
    const containerStatuses = names.map((name) => ({ name, state: { terminated } }));
    const messages = readPodStatus({ containerStatuses })?.containerStatuses?.map(({ state }) =>
      bytesOf(state?.terminated?.message),
    );
    expect(messages).toEqual(names.map(() => 1_024));
  });

  test('leaves out characters that control a terminal, and keeps the lines of a message', () => {
    const message = 'one\n\u001b[31mtwo\u0007';
    const status = readPodStatus({ reason: 'Bad\u001b[2J', message });
    expect(status).toEqual({ reason: 'Bad [2J', message: 'one\n [31mtwo ' });
  });

  test.each([
    ['a phase that does not exist', { phase: 'Weird' }, { phase: 'Unknown' }],
    ['a time that is none', { startTime: 'yesterday' }, {}],
    [
      'a time in another form',
      { startTime: '2026-01-01T01:00:00.5+01:00' },
      { startTime: '2026-01-01T00:00:00Z' },
    ],
    ['conditions that are no list', { conditions: 'Ready' }, {}],
    [
      'conditions that are none',
      { conditions: [null, 1, {}, { type: 'a b' }] },
      { conditions: [] },
    ],
    [
      'a condition twice',
      {
        conditions: [
          { type: 'A', status: 'True' },
          { type: 'A', status: 'False' },
        ],
      },
      { conditions: [{ type: 'A', status: 'True' }] },
    ],
    [
      'a condition with another status',
      { conditions: [{ type: 'A', status: 1 }] },
      { conditions: [{ type: 'A', status: 'Unknown' }] },
    ],
    [
      'a container without a name',
      { containerStatuses: [{ image: 'x' }] },
      { containerStatuses: [] },
    ],
    [
      'a small field that nobody knows yet',
      { tomorrow: { a: [1, 'b'] } },
      { tomorrow: { a: [1, 'b'] } },
    ],
  ])('reads %s', (_, value, expected) => {
    expect(readPodStatus(value)).toEqual(expected);
  });

  test('keeps numbers that a Go server can hold', () => {
    const restarts = [2 ** 40, -1, 1.5, '7'].map((restartCount, nth) => ({
      name: `c${nth}`,
      restartCount,
    }));
    const counts = readPodStatus({ containerStatuses: restarts })?.containerStatuses;
    expect(counts?.map(({ restartCount }) => restartCount)).toEqual([2 ** 31 - 1, 0, 0, 0]);
  });

  test('keeps a bounded part of lists and unknown fields', () => {
    const many = Array.from({ length: 10_000 }, (_, nth) => ({
      name: `c${nth}`,
      type: `T${nth}`,
      ip: '8.8.8.8',
    }));
    const status = readPodStatus({
      conditions: many,
      containerStatuses: many,
      podIPs: many,
      tomorrow: many,
    });
    expect(status?.conditions).toHaveLength(32);
    expect(status?.containerStatuses).toHaveLength(128);
    expect(status?.podIPs).toHaveLength(8);
    expect(JSON.stringify(status).length).toBeLessThan(30_000);
  });

  test('is undefined for what is no object, and the same for what a kubelet reports', () => {
    expect(['status', 5, null, []].map(readPodStatus)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(readPodStatus(kubeletStatus)).toEqual(kubeletStatus);
  });
});
