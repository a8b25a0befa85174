/** Undefined when all is well, otherwise why it is not, in words that anybody may read. */
export type HealthCheck = () => string | undefined | Promise<string | undefined>;

export type HealthChecks = Readonly<Record<string, HealthCheck>>;

export interface HealthReport {
  readonly ok: boolean;
  /** A line for every check, then the verdict, as Kubernetes' own servers write it. */
  readonly text: string;
}

/** Asks all of them at once. A check that throws has failed, and what it threw is not for everybody's eyes. */
export async function runHealthChecks(name: string, checks: HealthChecks): Promise<HealthReport> {
  const lines = await Promise.all(
    Object.entries(checks).map(async ([check, run]) => {
      const reason = await reasonOf(run);
      return { ok: reason === undefined, text: lineOf(check, reason) };
    }),
  );
  const ok = lines.every((line) => line.ok);
  const verdict = `${name} check ${ok ? 'passed' : 'failed'}`;
  return { ok, text: [...lines.map((line) => line.text), verdict, ''].join('\n') };
}

function lineOf(check: string, reason: string | undefined): string {
  return reason === undefined ? `[+]${check} ok` : `[-]${check} failed: ${reason}`;
}

async function reasonOf(check: HealthCheck): Promise<string | undefined> {
  try {
    return await check();
  } catch {
    // Its author did not foresee it, so nobody checked what it says.
    return 'reason withheld';
  }
}
