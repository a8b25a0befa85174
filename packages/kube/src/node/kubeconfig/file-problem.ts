export function isMissingFile(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Why a file could not be read, in words that follow its name. */
export function whyUnreadable(error: unknown): string {
  if (isMissingFile(error)) return 'there is no such file';
  if (codeOf(error) === 'EACCES') return 'permission denied';
  if (codeOf(error) === 'EISDIR') return 'it is a folder';
  return String(codeOf(error) ?? error);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
