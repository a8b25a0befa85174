const kubectl = String.raw`(kubectl( --kubeconfig \S+)?|rome|milan|turin|one|two)`;
const question = new RegExp(
  `^(${kubectl} (get|describe|logs|exec)|npx liqoctl (get|info)|curl)(?= |$)`,
);

/** Whether a command only asks, so that it may be typed again until the answer is the one that is shown. */
export function isQuestion(command: string): boolean {
  return question.test(command);
}
