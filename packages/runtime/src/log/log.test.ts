import { ApiError, DeadlineError } from '@liqo/kube';
import { expect, test } from 'vitest';
import { createLogger, type LoggerOptions, silentLogger } from './log.ts';

function recorded(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const clock = { now: () => 0, monotonicMs: () => 0, after: () => ({ cancel: () => undefined }) };
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ level: 'info', destination, clock, ...options });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') };
}

test('createLogger() writes one JSON object a line with klog-like keys', () => {
  const { log, lines } = recorded({ name: 'virtual-kubelet' });
  log.info('Bound pod', { pod: 'shop/web', node: 'eu-1' });
  expect(lines).toEqual([
    '{"level":"info","ts":"1970-01-01T00:00:00.000Z","logger":"virtual-kubelet","pod":"shop/web","node":"eu-1","msg":"Bound pod"}\n',
  ]);
});

test('createLogger() leaves out what is below its level', () => {
  const { log, lines } = recorded({ level: 'warn' });
  log.debug('no');
  log.info('no');
  log.warn('yes');
  log.error('yes');
  expect(lines).toHaveLength(2);
});

test('with() puts fields on every line, and the line wins', () => {
  const { log, last, lines } = recorded();
  log
    .with({ controller: 'peer', object: 'a' })
    .with({ reconcile: 1 })
    .info('Done', { object: 'b' });
  expect(last()).toMatchObject({ controller: 'peer', reconcile: 1, object: 'b' });
  expect(lines[0]?.match(/"object"/g)).toHaveLength(1);
});

test('createLogger() keeps a field from posing as a part of the line', () => {
  const { log, last } = recorded();
  log.info('Said', { msg: 'x', level: 'y', ts: 'z' });
  expect(last()).toMatchObject({ msg: 'Said', level: 'info', msg_: 'x', level_: 'y', ts_: 'z' });
});

test('createLogger() spells out an error with its causes and what the API server said', () => {
  const { log, last } = recorded();
  const refused = new ApiError({ code: 409, reason: 'Conflict', message: 'changed meanwhile' });
  const late = new Error('Cannot update "x"', {
    cause: new DeadlineError('late', { cause: refused }),
  });
  log.error('Cannot reconcile', { err: late });
  expect(last().err).toEqual({
    name: 'Error',
    message: 'Cannot update "x"',
    cause: {
      name: 'DeadlineError',
      message: 'late',
      cause: { name: 'ApiError', message: 'changed meanwhile', code: 409, reason: 'Conflict' },
    },
  });
});

test('createLogger() gives stacks at debug level only', () => {
  const { log, last } = recorded({ level: 'debug' });
  log.error('Cannot reconcile', { err: new Error('x') });
  expect(last().err.stack).toContain('log.test.ts');
});

test('createLogger() spells out all errors of an AggregateError and what is thrown without being an error', () => {
  const { log, last } = recorded();
  log.error('Cannot stop', { err: new AggregateError([new Error('one'), 'two'], 'both') });
  expect(last().err).toMatchObject({ message: 'both', errors: [{ message: 'one' }, 'two'] });
});

test.each([
  ['token', 'eyJhbGciOi'],
  ['bearerToken', 'eyJhbGciOi'],
  ['authorization', 'Bearer eyJhbGciOi'],
  ['password', 'hunter2'],
  ['kubeconfig', 'apiVersion: v1'],
  ['client-key-data', 'LS0t'],
  ['note', 'sent Bearer eyJhbGciOi to it'],
  ['pem', '-----BEGIN EC PRIVATE KEY-----\neyJhbGciOi\n-----END EC PRIVATE KEY-----'],
  ['deep', { headers: [{ Authorization: 'eyJhbGciOi' }] }],
  ['secret', { kind: 'Secret', data: { x: 'eyJhbGciOi' }, stringData: { y: 'hunter2' } }],
  ['err', new Error('refused: Bearer eyJhbGciOi')],
  ['bytes', Buffer.from('hunter2')],
])('createLogger() hides the secret in field "%s"', (key, value) => {
  const { log, lines } = recorded({ level: 'debug' });
  log.info('Line', { [key]: value });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/eyJhbGciOi|hunter2|apiVersion|LS0t/);
});

test('createLogger() shows names of secrets and harmless fields as they are', () => {
  const { log, last } = recorded();
  const fields = { secret: 'liqo/kubeconfig-milan', hasToken: true, count: 3, kind: 'Secret' };
  log.info('Line', fields);
  expect(last()).toMatchObject(fields);
});

test('createLogger() survives fields that JSON cannot say', () => {
  const { log, last } = recorded();
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  log.info('Line', { circle, big: 10n, on: new Date(0), call: () => 1 });
  expect(last()).toMatchObject({ big: '10', on: '1970-01-01T00:00:00.000Z' });
  expect(last().circle.self.self).toBeDefined();
});

test('createLogger() writes lines for people when pretty', () => {
  const { log, lines } = recorded({ pretty: true });
  log.warn('Lost the provider', { cluster: 'eu-1', why: 'no answer', attempt: 3 });
  expect(lines).toEqual([
    '00:00:00.000 WARN  Lost the provider cluster=eu-1 why="no answer" attempt=3\n',
  ]);
});

test('silentLogger says nothing, whatever it is given', () => {
  expect(silentLogger.with({ a: 1 })).toBe(silentLogger);
  expect(silentLogger.with({ a: 1 }).error('x', { err: new Error('y') })).toBeUndefined();
});

test('createLogger() bounds what a peer says, and lets none of it control a terminal', () => {
  const { log, last, lines } = recorded();
  const refused = new ApiError({ code: 403, message: `no\u001b[2J\u202e\u009b${'x'.repeat(1e6)}` });
  log.warn('Refused', { err: refused, why: '\u2028'.repeat(9), names: new Array(1e5).fill('a') });
  expect(lines.at(-1)).not.toMatch(/[\p{Cf}\p{Zl}\u007f-\u009f]|\\u001b/u);
  expect(Buffer.byteLength(last().err.message)).toBeLessThanOrEqual(1024);
  expect(last().names).toHaveLength(101);
});
