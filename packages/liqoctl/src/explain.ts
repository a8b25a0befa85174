import {
  ApiError,
  DeadlineError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isUnauthorized,
  TransportError,
} from '@liqo/kube';
import { ExecPluginError, KubeconfigError } from '@liqo/kube/node';
import { UserError } from './user-error.ts';

const anotherCluster = 'choose another cluster with --context or --kubeconfig';
const forbiddenHint =
  'Ask an administrator for that right, or be somebody else with --context or --user';

/** Waits for something that is `doing`, such as `create VirtualNode "mynode"`; what goes wrong is said in words. */
export async function attempt<T>(doing: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw explain(doing, error);
  }
}

/** What could not be done, why, and what to do next. */
export function explain(doing: string, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const { why, hint } = reasonOf(error);
  return new UserError(`Cannot ${doing}: ${why}`, { hint, cause: error });
}

interface Reason {
  readonly why: string;
  readonly hint: string;
}

function reasonOf(error: unknown): Reason {
  if (error instanceof ApiError) return refusal(error);
  const why = asClause(error instanceof Error ? error.message : String(error));
  if (error instanceof KubeconfigError) {
    const hint = 'Name another kubeconfig with --kubeconfig, or another part of it with --context';
    return { why, hint };
  }
  if (error instanceof ExecPluginError) {
    return { why, hint: 'Log in with the tool that the kubeconfig names, and try again' };
  }
  if (error instanceof TransportError) return { why, hint: lostHint(error) };
  if (error instanceof DeadlineError) {
    return { why: 'the server did not answer in time', hint: `Try again, or ${anotherCluster}` };
  }
  return { why, hint: 'Try again; if it stays so, please report it with the command you ran' };
}

function lostHint({ sent }: TransportError): string {
  return sent
    ? 'The server may have done it all the same: look before you try again'
    : `Check that the cluster runs and that you can reach it, or ${anotherCluster}`;
}

function refusal(refused: ApiError): Reason {
  const error: unknown = refused;
  const why = asClause(refused.message);
  if (isUnauthorized(error)) {
    const hint = `Renew the credentials of the kubeconfig, or ${anotherCluster}`;
    return { why: 'the server does not accept your credentials', hint };
  }
  if (isForbidden(error)) return { why, hint: forbiddenHint };
  if (isNotFound(error) && !refused.details?.name) {
    const hint = `Install Liqo there, or ${anotherCluster}`;
    return { why: 'Liqo is not installed in this cluster', hint };
  }
  if (isNotFound(error)) return { why, hint: 'Check the name, or look for it with kubectl get' };
  if (isAlreadyExists(error)) return { why, hint: 'Choose another name, or delete that one first' };
  if (isInvalid(error)) return { why, hint: 'Correct what the server names, and try again' };
  if (isConflict(error)) return { why, hint: 'Somebody else changed it meanwhile: try again' };
  return { why, hint: 'Try again when the server has recovered' };
}

/** Messages are sentences; here they follow a colon. Names that start with a capital keep it. */
function asClause(message: string): string {
  return message.replace(/^[A-Z](?=[a-z]+ )/, (letter) => letter.toLowerCase());
}
