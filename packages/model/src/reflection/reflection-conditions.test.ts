import { mostReflectionConditions } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { type ReflectedKindReport, reflectionConditions } from './reflection-conditions.ts';

const now = '2030-01-01T00:00:00Z';
const later = '2030-01-01T00:01:00Z';
const taken = { reason: 'FailedReflection', message: 'the name is taken' };

function report(change: Partial<ReflectedKindReport> = {}): ReflectedKindReport {
  return { resource: 'configmaps', problems: new Map(), isAlwaysReported: false, ...change };
}

const oneProblem = report({ problems: new Map([['a', taken]]) });
const failed = reflectionConditions([], [oneProblem], now);

describe('reflectionConditions()', () => {
  test('says nothing of kinds that have no problem', () => {
    expect(reflectionConditions([], [report()], now)).toEqual([]);
  });

  test('says that all is well of a kind that the user has named', () => {
    expect(reflectionConditions([], [report({ isAlwaysReported: true })], now)).toEqual([
      {
        type: 'configmaps',
        status: 'True',
        reason: 'Reflected',
        message: '',
        lastTransitionTime: now,
      },
    ]);
  });

  test('names the one object that has a problem', () => {
    expect(failed).toEqual([
      { type: 'configmaps', status: 'False', ...taken, lastTransitionTime: now },
    ]);
  });

  test('counts several, and names the first', () => {
    const denied = { reason: 'FailedReflection', message: 'it is denied' };
    const problems = new Map([
      ['b', denied],
      ['a', taken],
    ]);
    expect(reflectionConditions(failed, [report({ problems })], later)).toMatchObject([
      { message: '2 objects have a problem. the name is taken', lastTransitionTime: now },
    ]);
  });

  test('prefers what is the matter with the whole kind', () => {
    const problem = { reason: 'MissingAtProvider', message: 'it has none' };
    expect(reflectionConditions([], [{ ...oneProblem, problem }], now)).toMatchObject([problem]);
  });

  test('takes back what is over', () => {
    expect(reflectionConditions(failed, [report()], later)).toMatchObject([
      { status: 'True', reason: 'Reflected', lastTransitionTime: later },
    ]);
  });

  test('forgets kinds of which nothing is known', () => {
    expect(reflectionConditions(failed, [], later)).toEqual([]);
  });

  test('is bounded, whatever a provider says', () => {
    const hostile = { reason: 'R'.repeat(500), message: `\u001b[2J${'é'.repeat(5_000)}` };
    const many = Array.from({ length: 60 }, (_, nth) =>
      report({ resource: `kind-${nth}`, problems: new Map([['a', hostile]]) }),
    );
    const conditions = reflectionConditions([], many, now);
    expect(conditions).toHaveLength(mostReflectionConditions);
    const [{ reason = '', message = '' } = {}] = conditions;
    expect(reason.length).toBeLessThanOrEqual(128);
    expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(1_024);
    expect(message).not.toContain('\u001b');
  });
});
