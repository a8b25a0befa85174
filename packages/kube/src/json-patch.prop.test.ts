import fc from 'fast-check';
import oracle from 'fast-json-patch';
import { expect, test } from 'vitest';
import { deepCopy } from './json.ts';
import { applyJsonPatch, type JsonPatchOperation } from './json-patch.ts';

const leaves = fc.constantFrom(null, true, 0, 1, 'x');

const documents = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaves, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom('a', 'b', '0', '-'), tie('value'), { maxKeys: 3 }),
})).object;

const pointers = fc
  .array(fc.constantFrom('a', 'b', '0', '1', '2', '-'), { minLength: 1, maxLength: 3 })
  .map((steps) => steps.map((step) => `/${step}`).join(''));

const edits: fc.Arbitrary<JsonPatchOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointers, value: leaves }),
  fc.record({ op: fc.constant('remove'), path: pointers }),
);

const transfers: fc.Arbitrary<JsonPatchOperation> = fc.record({
  op: fc.constantFrom('copy', 'move'),
  from: pointers,
  path: pointers,
});

const patches = fc.array(fc.oneof(edits, transfers), { minLength: 1, maxLength: 3 });

test('applyJsonPatch() adds, replaces, removes, tests and refuses as fast-json-patch does', () => {
  fc.assert(
    fc.property(documents, fc.array(edits, { minLength: 1, maxLength: 3 }), (document, patch) => {
      expect(ours(document, patch)).toEqual(theirs(document, patch));
    }),
    { numRuns: 2000 },
  );
});

// The oracle is lax with copy and move: it takes a target beyond the end of a list.
test('applyJsonPatch() copies and moves as fast-json-patch does, where it does not refuse', () => {
  fc.assert(
    fc.property(documents, patches, (document, patch) => {
      const outcome = ours(document, patch);
      fc.pre(outcome !== refused);
      expect(outcome).toEqual(theirs(document, patch));
    }),
    { numRuns: 300 },
  );
});

test('applyJsonPatch() never changes its arguments', () => {
  fc.assert(
    fc.property(documents, patches, (document, patch) => {
      const before = JSON.stringify([document, patch]);
      ours(document, patch);
      expect(JSON.stringify([document, patch])).toBe(before);
    }),
  );
});

const refused = 'refused';

function ours(document: unknown, patch: readonly JsonPatchOperation[]): unknown {
  return outcomeOf(() => applyJsonPatch(document, patch));
}

/** fast-json-patch changes the operations it is given. */
function theirs(document: unknown, patch: readonly JsonPatchOperation[]): unknown {
  const operations = deepCopy(patch) as oracle.Operation[];
  return outcomeOf(() => oracle.applyPatch(document, operations, true, false).newDocument);
}

function outcomeOf(run: () => unknown): unknown {
  try {
    return { result: run() };
  } catch {
    return refused;
  }
}
