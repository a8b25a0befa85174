import { diffJson, isJsonObject } from '@liqo/kube';
import { normaliseTrace } from './normalise-trace.ts';
import { describeStep, type Program } from './program.ts';
import type { Trace } from './run-program.ts';

/** Where two servers first disagree about a program, for people to read; undefined when they agree. */
export function compareTraces(program: Program, ours: Trace, real: Trace): string | undefined {
  const [left, right] = [normaliseTrace(ours), normaliseTrace(real)];
  const differing = program.steps.findIndex(
    (_, step) => diffJson(answerTo(step, left), answerTo(step, right)).length > 0,
  );
  const step = program.steps[differing];
  if (step) {
    const where = `step ${differing} of seed ${program.seed}: ${describeStep(step)}`;
    return explain(where, answerTo(differing, left), answerTo(differing, right));
  }
  const [seen, expected] = [eventsOf(left), eventsOf(right)];
  if (diffJson(seen, expected).length === 0) return undefined;
  return explain(`the events of seed ${program.seed}`, seen, expected);
}

function explain(where: string, ours: unknown, real: unknown): string {
  const operations = diffJson(ours, real).slice(0, 12);
  return [`In ${where}`, ...operations.map((operation) => explainOne(operation, ours))].join('\n');
}

function explainOne(operation: { op: string; path: string; value?: unknown }, ours: unknown) {
  const { op, path, value } = operation;
  const mine = op === 'add' ? 'nothing' : JSON.stringify(at(ours, path));
  const theirs = op === 'remove' ? 'nothing' : JSON.stringify(value);
  return `  ${path}\n    minicluster ${mine}\n    kubernetes  ${theirs}`;
}

function at(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((found, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    return Array.isArray(found)
      ? found[Number(name)]
      : isJsonObject(found)
        ? found[name]
        : undefined;
  }, value);
}

function answerTo(step: number, trace: unknown): unknown {
  return at(trace, `/answers/${step}`);
}

function eventsOf(trace: unknown): unknown {
  return at(trace, '/events');
}
