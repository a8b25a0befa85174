import type { Json, JsonObject } from '@liqo/kube';
import type { KindName } from './sample-kinds.ts';

/**
 * A sequence of calls to an API server, as data. Strings such as `$3.uid` stand for what the answer to step 3 said, so
 * that one program means the same on every server.
 */
export interface Program {
  readonly seed: number;
  /** What its namespaces are named after. */
  readonly name: string;
  /** Two namespaces to work in and a third that the program may create. */
  readonly namespaces: readonly [string, string, string];
  readonly kinds: readonly KindName[];
  readonly steps: readonly Step[];
  /** The numbers of the steps that are taken, if not all: the others are never asked. */
  readonly kept?: readonly number[] | undefined;
}

/** The numbers of the steps that are taken, in order. */
export function keptSteps({ steps, kept }: Program): readonly number[] {
  return kept ?? steps.map((_, index) => index);
}

export interface Step {
  /** Who calls: the server names the field manager after it where the query does not. */
  readonly caller: Caller;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly kind: KindName;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly contentType?: string | undefined;
  readonly body?: Json | undefined;
  /** The body is the object that this step got, changed by a merge patch; `body` when it got none. */
  readonly edit?: { readonly of: number; readonly change: JsonObject } | undefined;
}

type Caller = 'ada' | 'bob';

/** What a step's answer is remembered for. */
export type Remembered = 'uid' | 'version' | 'continue';

export function remembered(step: number, what: Remembered): string {
  return `$${step}.${what}`;
}

/** One line that says what a step asks for. */
export function describeStep(step: Step): string {
  const { caller, method, kind, namespace, name, subresource, query } = step;
  const target = [kind, namespace, name, subresource].filter((part) => part !== undefined);
  const options = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  return [
    `${caller}: ${method} ${target.join('/')}${options.length > 0 ? `?${options.join('&')}` : ''}`,
    ...(step.contentType === undefined ? [] : [step.contentType]),
    ...(step.edit === undefined ? [] : [`edit ${JSON.stringify(step.edit)}`]),
    ...(step.body === undefined ? [] : [JSON.stringify(step.body)]),
  ].join(' ');
}

/** Every step that is taken, with its number, a line each. */
export function describeProgram(program: Program): string {
  const lines = keptSteps(program).map((number) => {
    const step = program.steps[number];
    return step ? `${number} ${describeStep(step)}` : `${number} is no step of it`;
  });
  return lines.join('\n');
}
