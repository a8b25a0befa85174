export interface KubeconfigProblem {
  /** The file, or whatever the kubeconfig was read from. */
  readonly source?: string | undefined;
  /** The path of the key inside the document: `clusters[1].cluster.server`. */
  readonly key?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
  /** What is wrong there and what to do about it. Never holds a value that may be a secret. */
  readonly reason: string;
  readonly cause?: unknown;
}

/** A kubeconfig cannot be read or used: which file, where in it, and why. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
  readonly source: string | undefined;
  readonly key: string | undefined;
  readonly line: number | undefined;
  readonly reason: string;

  constructor(problem: KubeconfigProblem) {
    super(sentenceOf(problem), problem.cause === undefined ? {} : { cause: problem.cause });
    this.source = problem.source;
    this.key = problem.key;
    this.line = problem.line;
    this.reason = problem.reason;
  }
}

function sentenceOf({ source, key, line, reason }: KubeconfigProblem): string {
  const document = source === undefined ? 'kubeconfig' : `kubeconfig "${source}"`;
  return `Cannot use ${document}: ${spot(key, line)}${reason}`;
}

function spot(key: string | undefined, line: number | undefined): string {
  if (key && line !== undefined) return `${key} (line ${line}): `;
  if (key) return `${key}: `;
  return line === undefined ? '' : `line ${line}: `;
}
