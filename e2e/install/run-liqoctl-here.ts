import { runLiqoctl } from '@liqo/liqoctl';
import { systemClock, systemRandom } from '@liqo/runtime';

/** Runs liqoctl in this process, piped; without a kubeconfig it reaches no cluster. */
export async function runLiqoctlHere(args: readonly string[], kubeconfig = '/dev/null') {
  const written = { stdout: '', stderr: '' };
  const code = await runLiqoctl(args, {
    env: { HOME: '/nonexistent', KUBECONFIG: kubeconfig },
    clock: systemClock,
    random: systemRandom,
    signal: new AbortController().signal,
    stdout: { write: (text) => (written.stdout += text), isTerminal: false },
    stderr: { write: (text) => (written.stderr += text), isTerminal: false },
  });
  return { code, ...written };
}
