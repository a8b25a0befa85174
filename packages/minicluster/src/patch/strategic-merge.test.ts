import { ApiError, type KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import { builtInSchemas } from '../schema/built-in-schemas.ts';
import { withRecordedDefaults } from './recorded-defaults.ts';
import { patchStrategically, strategicMerge } from './strategic-merge.ts';
// What kube-apiserver 1.35.4 made of random patches.
import vectors from './strategic-merge.vectors.json' with { type: 'json' };

interface Step {
  readonly patch: Record<string, unknown>;
  readonly dryRun?: boolean;
  /** Members of the object that the patch changed, and the names of those it removed. */
  readonly after?: object;
  readonly gone?: readonly string[];
  readonly error?: { readonly code: number; readonly message: string };
}

interface Program {
  readonly kind: readonly [group: string, version: string, kind: string];
  readonly start: object;
  readonly steps: readonly Step[];
}

const programs = vectors.programs.map((text): Program => JSON.parse(text));

test.each(programs.map((program, index) => [`${program.kind[2]} ${index}`, program] as const))(
  'patchStrategically() answers as the API server does: %s',
  (_, program) => {
    let live: object = program.start;
    for (const step of program.steps) {
      const expected = step.after ? completed(live, step) : undefined;
      expect(replay(program, live, step, expected)).toEqual(expected ?? step.error);
      if (expected && !step.dryRun) live = expected;
    }
  },
);

function completed(live: object, { after, gone }: Step): object {
  const kept = Object.entries({ ...live, ...after }).filter(([key]) => !gone?.includes(key));
  return Object.fromEntries(kept);
}

function replay(program: Program, live: object, step: Step, expected: unknown): unknown {
  try {
    const { object } = patchStrategically(
      builtInSchemas(),
      schemaOf(program.kind),
      live,
      step.patch,
    );
    return withRecordedDefaults(object, expected);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, message: factIn(error) };
  }
}

/** What an `Invalid` shows of the patch is left out: the server shows it half worked off. */
function factIn({ code, message }: ApiError): string {
  return code === 422 ? message.slice(message.lastIndexOf('": ') + 3) : message;
}

function schemaOf([group, version, kind]: Program['kind']) {
  const schema = builtInSchemas().ofKind(group, version, kind);
  if (!schema) throw new Error(`Cannot find kind "${kind}"`);
  return schema;
}

const podSchema = schemaOf(['', 'v1', 'Pod']);

function podWith(spec: object): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', spec } as KubeObject;
}

const mergePods = (original: object, patch: object) =>
  (
    strategicMerge(builtInSchemas(), podSchema, podWith(original), { spec: patch }) as {
      spec: object;
    }
  ).spec;

test('strategicMerge() puts new items before those that the patch does not name', () => {
  const containers = [{ name: 'a' }, { name: 'b' }];
  const merged = mergePods({ containers }, { containers: [{ name: 'n' }] });
  expect(merged).toEqual({ containers: [{ name: 'n' }, { name: 'a' }, { name: 'b' }] });
});

test('strategicMerge() merges items by key, replaces lists without one, and removes by null', () => {
  const container = { name: 'a', image: '1', args: ['x'], tty: true };
  const merged = mergePods(
    { containers: [container], hostname: 'h' },
    { containers: [{ name: 'a', args: ['y'], tty: null }], hostname: null },
  );
  expect(merged).toEqual({ containers: [{ name: 'a', image: '1', args: ['y'] }] });
});

test.each([
  ['deletes an item', [{ $patch: 'delete', name: 'a' }], [{ name: 'b' }]],
  ['replaces the list', [{ $patch: 'replace' }, { name: 'c' }], [{ name: 'c' }]],
  ['replaces an item', [{ $patch: 'replace', name: 'a' }], []],
])('strategicMerge() %s by directive', (_, containers, expected) => {
  const merged = mergePods(
    { containers: [{ name: 'a', image: '1' }, { name: 'b' }] },
    { containers },
  );
  expect(merged).toEqual({ containers: expected });
});

test('strategicMerge() drops the keys that are not retained', () => {
  const volumes = [{ name: 'v', emptyDir: {} }];
  const change = { name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'm' } };
  expect(mergePods({ volumes }, { volumes: [change] })).toEqual({
    volumes: [{ name: 'v', configMap: { name: 'm' } }],
  });
});

test('strategicMerge() changes neither the object nor the patch', () => {
  const original = freeze(
    podWith({ containers: [{ name: 'a', env: [{ name: 'E', value: '1' }] }] }),
  );
  const patch = freeze({
    spec: {
      containers: [{ name: 'b' }, { name: 'a', env: [{ name: 'E', $patch: 'delete' }] }],
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
    },
  });
  expect(strategicMerge(builtInSchemas(), podSchema, original, patch)).toEqual(
    podWith({ containers: [{ name: 'b' }, { name: 'a', env: [] }] }),
  );
});

test('patchStrategically() tells what was wrong with the type of a field, and lists unknown ones', () => {
  const patched = () =>
    patchStrategically(builtInSchemas(), podSchema, {}, { spec: { hostNetwork: 'yes' } });
  expect(patched).toThrow(
    ' "" is invalid: patch: Invalid value: "map[spec:map[hostNetwork:yes]]": unrecognized type: bool',
  );
  const { unknownFields } = patchStrategically(builtInSchemas(), podSchema, {}, { x: 1, a: 1 });
  expect(unknownFields).toEqual(['a', 'x']);
});

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
