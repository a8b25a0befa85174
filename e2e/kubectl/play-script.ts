import { setTimeout as pause } from 'node:timers/promises';
import { maskOutput } from './mask-output.ts';
import { type Access, runKubectl } from './run-kubectl.ts';
import type { DetailedStep, Script, Step } from './scripts.ts';

/** What two clusters answered to one command, masked. */
export interface Comparison {
  readonly command: string;
  readonly real: string;
  readonly mini: string;
}

/** Commands that change nothing are asked again until both clusters have come to rest. */
const harmless =
  /^(get|describe|explain|auth|rollout (history|status)|wait|api-resources|version|diff) ?/;
const patienceMs = 30_000;

/** Runs a script on both clusters, command by command, in a namespace of its own. */
export async function playScript(
  real: Access,
  mini: Access,
  script: Script,
): Promise<Comparison[]> {
  const prologue = [
    `create namespace ${script.name}`,
    'wait --for=create serviceaccount/default configmap/kube-root-ca.crt --timeout=60s',
  ];
  const comparisons: Comparison[] = [];
  for (const step of [...prologue, ...script.steps]) {
    comparisons.push(await compare(real, mini, script, step));
  }
  return comparisons;
}

async function compare(
  real: Access,
  mini: Access,
  { name }: Script,
  step: Step,
): Promise<Comparison> {
  const detailed = typeof step === 'string' ? { run: step } : step;
  const { run: command, input } = detailed;
  const text = input === undefined ? '' : JSON.stringify(input);
  const ask = async (access: Access) => {
    const { code, stdout, stderr } = await runKubectl(access, `-n ${name} ${command}`, text);
    return comparable(maskOutput(`${stdout}${stderr}exit ${code}`), detailed);
  };
  const deadlineMs = performance.now() + (harmless.test(command) ? patienceMs : 0);
  let answers = await Promise.all([ask(real), ask(mini)]);
  while (answers[0] !== answers[1] && performance.now() < deadlineMs) {
    await pause(100);
    answers = await Promise.all([ask(real), ask(mini)]);
  }
  return { command, real: answers[0], mini: answers[1] };
}

function comparable(output: string, { lines, differs, hide }: DetailedStep): string {
  if (differs && !hide) return '';
  const shown = hide ? output.replaceAll(hide, '') : output;
  return lines
    ? shown
        .split('\n')
        .filter((line) => lines.test(line))
        .join('\n')
    : shown;
}
