/** Without dots that lead elsewhere, and without anything that a URL would spell otherwise. */
const plainTarget = /^((?:\/[\w:-][\w.:-]*)+)(?:\?([\w.:/%&=+,!()*~-]*))?$/;

/** Path and query of a request. Most are plain, and reading a URL takes longer than much of what follows. */
export function readRequestTarget(target: string): Pick<URL, 'pathname' | 'searchParams'> {
  const [, pathname, query] = plainTarget.exec(target) ?? [];
  if (pathname === undefined) return new URL(target, 'https://cluster');
  return { pathname, searchParams: new URLSearchParams(query) };
}
