import { applyJsonPatch, isJsonObject, type JsonPatchOperation } from '@liqo/kube';

/** A JSON patch as the API server reads it: unlike RFC 6902, it lets `replace` set a member that is not there. */
export function applyOperations(
  document: unknown,
  operations: readonly JsonPatchOperation[],
): unknown {
  return operations.reduce(
    (current, operation) => applyJsonPatch(current, [asUnderstood(current, operation)]),
    document,
  );
}

function asUnderstood(document: unknown, operation: JsonPatchOperation): JsonPatchOperation {
  if (operation.op !== 'replace') return operation;
  const keys = operation.path.split('/').slice(1, -1).map(unescapeKey);
  const parent = keys.reduce<unknown>(memberOf, document);
  return operation.path !== '' && isJsonObject(parent) ? { ...operation, op: 'add' } : operation;
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
