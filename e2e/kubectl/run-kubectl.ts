import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';

/** Where kubectl is, and which cluster it speaks to. */
export interface Access {
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** Besides those of this process. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl with words that have no spaces in them; `input` is what it reads from `-`. */
export function runKubectl(access: Access, line: string, input = ''): Promise<Outcome> {
  const options = { env: environmentOf(access), maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    const child = execFile(access.kubectl, line.split(' '), options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
    // It need not read all of it.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** The variables kubectl runs with. */
export function environmentOf({ kubeconfig, variables }: Access): NodeJS.ProcessEnv {
  const own = { KUBECONFIG: kubeconfig, KUBECACHEDIR: cacheBeside(kubeconfig) };
  return { ...process.env, ...own, ...variables };
}

/** Goes when the cluster goes, so that no other cluster on the same port is taken for it. */
function cacheBeside(kubeconfig: string): string {
  return join(dirname(kubeconfig), 'kubectl-cache');
}
