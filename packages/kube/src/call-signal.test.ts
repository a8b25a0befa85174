import { expect, test } from 'vitest';
import { abortSignalOf, CallEnd } from './call-signal.ts';

test('CallEnd tells its listeners once, in the order in which they came', () => {
  const end = new CallEnd();
  const told: string[] = [];
  end.addEventListener('abort', () => told.push('first'));
  end.addEventListener('abort', () => told.push('second'));
  end.abort('enough');
  end.abort('more than enough');
  expect(told).toEqual(['first', 'second']);
});

test('CallEnd keeps the first reason, and throws it at whoever begins afterwards', () => {
  const end = new CallEnd();
  end.throwIfAborted();
  expect([end.aborted, end.reason]).toEqual([false, undefined]);
  const reason = new Error('too late');
  end.abort(reason);
  end.abort(new Error('later still'));
  expect([end.aborted, end.reason]).toEqual([true, reason]);
  expect(() => end.throwIfAborted()).toThrow(reason);
});

test('CallEnd tells nothing to those who have left, or who come when it is over', () => {
  const end = new CallEnd();
  const told: string[] = [];
  const left = () => told.push('left');
  end.addEventListener('abort', left);
  end.removeEventListener('abort', left);
  end.abort('enough');
  end.addEventListener('abort', () => told.push('late'));
  expect(told).toEqual([]);
});

test('CallEnd is over before its listeners hear of it', () => {
  const end = new CallEnd();
  const seen: boolean[] = [];
  end.addEventListener('abort', () => seen.push(end.aborted));
  end.abort('enough');
  expect(seen).toEqual([true]);
});

test('abortSignalOf() aborts with the call, for the same reason', () => {
  const end = new CallEnd();
  const signal = abortSignalOf(end);
  expect(signal.aborted).toBe(false);
  end.abort('enough');
  expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
  expect(abortSignalOf(end).reason).toBe('enough');
});

test('abortSignalOf() takes an AbortSignal for what it is', () => {
  const { signal } = new AbortController();
  expect(abortSignalOf(signal)).toBe(signal);
});
