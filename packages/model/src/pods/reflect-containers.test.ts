import { describe, expect, test } from 'vitest';
import { containerStatus } from '../testing/container-status.ts';
import { awaitContainer, endContainer, reflectContainers } from './reflect-containers.ts';

const containers = [{ name: 'web' }];
const facts = {
  spec: { containers, restartPolicy: 'Always' as const },
  containers,
  isRecreated: false,
  isReplaced: false,
};

test('reflectContainers() takes what the provider says: image, state, readiness', () => {
  const remote = [containerStatus({ ready: false, imageID: 'sha256:2' })];
  expect(reflectContainers([], remote, facts)).toEqual(remote);
  expect(reflectContainers([containerStatus()], remote, facts)).toEqual(remote);
});

test('reflectContainers() shows how a container of a pod that stays has ended', () => {
  const crashed = containerStatus({ state: { terminated: { exitCode: 1, reason: 'Error' } } });
  expect(reflectContainers([containerStatus()], [crashed], facts)).toEqual([crashed]);
});

describe('restart counts', () => {
  const count = (
    before: number,
    after: Parameters<typeof containerStatus>[0],
    isRecreated = false,
  ) =>
    reflectContainers([containerStatus({ restartCount: before })], [containerStatus(after)], {
      ...facts,
      isRecreated,
    })[0]?.restartCount;

  test.each([
    ['the one of the provider', 0, { restartCount: 2, containerID: 'containerd://3' }, 2],
    ['the one known before, for the same container', 5, { restartCount: 1 }, 5],
    ['one more, for a new container', 5, { restartCount: 2, containerID: 'containerd://2' }, 6],
  ])('reflectContainers() gives %s', (_, before, after, expected) => {
    expect(count(before, after)).toBe(expected);
  });

  test('reflectContainers() counts a pod that was made again as a restart', () => {
    expect(count(3, { restartCount: 0, containerID: 'containerd://2' }, true)).toBe(4);
    expect(count(3, { restartCount: 2, containerID: 'containerd://2' }, true)).toBe(6);
  });

  test('reflectContainers() keeps the count while a new pod has not got as far as its containers', () => {
    const [status] = reflectContainers([containerStatus({ restartCount: 3 })], [], facts);
    expect(status).toMatchObject({
      restartCount: 3,
      ready: false,
      state: { waiting: { reason: 'RemotePodMissing' } },
    });
  });
});

describe('a pod at the provider that is deleted', () => {
  const killed = containerStatus({ state: { terminated: { exitCode: 143 } }, ready: false });

  test.each(['Always', 'OnFailure', 'Never'] as const)(
    'reflectContainers() shows no end of a container that will run again (%s)',
    (restartPolicy) => {
      const replaced = { ...facts, spec: { containers, restartPolicy }, isReplaced: true };
      const [status] = reflectContainers([containerStatus()], [killed], replaced);
      expect(status?.state).toEqual({ waiting: expect.anything() });
    },
  );

  test('reflectContainers() shows a container that still runs', () => {
    const replaced = { ...facts, isReplaced: true };
    expect(reflectContainers([], [containerStatus()], replaced)).toEqual([containerStatus()]);
  });
});

describe('a container that has done its work', () => {
  const done = containerStatus({ state: { terminated: { exitCode: 0 } }, ready: false });
  const failed = containerStatus({ state: { terminated: { exitCode: 1 } }, ready: false });

  test.each([
    ['Never', done],
    ['Never', failed],
    ['OnFailure', done],
  ] as const)('reflectContainers() does not let it run again (%s)', (restartPolicy, before) => {
    const once = { ...facts, spec: { containers, restartPolicy } };
    expect(reflectContainers([before], [containerStatus()], once)).toEqual([before]);
    expect(awaitContainer(before, once)).toEqual(before);
  });

  test.each([
    ['the pod is restarted always', 'Always', done, {}],
    ['it failed and is tried again', 'OnFailure', failed, {}],
    [
      'it is restarted always on its own account',
      'Never',
      done,
      { restartPolicy: 'Always' as const },
    ],
    ['rules of its own decide', 'Never', failed, { restartPolicyRules: [{ action: 'Restart' }] }],
  ] as const)(
    'reflectContainers() lets it run again where %s',
    (_, restartPolicy, before, more) => {
      const own = [{ name: 'web', ...more }];
      const again = { ...facts, containers: own, spec: { containers: own, restartPolicy } };
      const [status] = reflectContainers([before], [containerStatus()], again);
      expect(status?.state).toEqual(containerStatus().state);
    },
  );
});

test('endContainer() ends what has not ended, and leaves alone what has', () => {
  const end = { exitCode: 1, reason: 'OffloadingAborted', now: '2026-01-01T00:10:00Z' };
  expect(endContainer(containerStatus(), end)).toMatchObject({
    ready: false,
    state: {
      terminated: {
        exitCode: 1,
        reason: 'OffloadingAborted',
        startedAt: '2026-01-01T00:00:01Z',
        finishedAt: '2026-01-01T00:10:00Z',
      },
    },
  });
  const done = containerStatus({ state: { terminated: { exitCode: 0 } } });
  expect(endContainer(done, end)).toBe(done);
});
