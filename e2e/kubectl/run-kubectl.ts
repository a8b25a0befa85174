import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';

/** Where kubectl is, and which cluster it speaks to. */
export interface Access {
  readonly kubectl: string;
  readonly kubeconfig: string;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl with words that have no spaces in them; `input` is what it reads from `-`. */
export function runKubectl(
  { kubectl, kubeconfig }: Access,
  line: string,
  input = '',
): Promise<Outcome> {
  const env = { ...process.env, KUBECONFIG: kubeconfig, KUBECACHEDIR: cacheBeside(kubeconfig) };
  return new Promise((resolve) => {
    const child = execFile(kubectl, line.split(' '), { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

/** Goes when the cluster goes, so that no other cluster on the same port is taken for it. */
function cacheBeside(kubeconfig: string): string {
  return join(dirname(kubeconfig), 'kubectl-cache');
}
