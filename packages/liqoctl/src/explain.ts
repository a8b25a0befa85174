import {
  ApiError,
  DeadlineError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isUnauthorized,
  ownMember,
  TransportError,
} from '@liqo/kube';
import { ExecPluginError, KubeconfigError } from '@liqo/kube/node';
import { UserError } from './user-error.ts';

const anotherCluster = 'choose another cluster with --context or --kubeconfig';
const forbiddenHint =
  'Ask an administrator for that right, or use other credentials with --context or --user';

/** Whether a request changes something: then its effect is unknown when the answer is lost. */
type Access = 'read' | 'write';

/** Which of the two clusters of a command something is about. A command that talks to one cluster has the local one only. */
export type Where = 'local' | 'remote';

/** The failure of work in the remote cluster: its hint names the flags that choose that one. */
export function explainAt(
  where: Where,
  doing: string,
  error: unknown,
  access: Access = 'read',
): UserError {
  const failure = explain(doing, error, access);
  if (where === 'local' || error instanceof UserError) return failure;
  const hint = failure.hint.replace(/--(?=(context|kubeconfig|user)\b)/g, '--remote-');
  return new UserError(failure.message, { hint, cause: error });
}

/** Waits for work that is `doing`, such as `create VirtualNode "mynode"`, and explains its failure. */
export async function attempt<T>(
  doing: string,
  work: Promise<T>,
  access: Access = 'read',
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw explain(doing, error, access);
  }
}

/** Says what could not be done, why, and what to do next. */
export function explain(doing: string, error: unknown, access: Access = 'read'): UserError {
  if (error instanceof UserError) return error;
  const { why, hint } = reasonOf(error, access);
  return new UserError(`Cannot ${doing}: ${why}`, { hint, cause: error });
}

interface Reason {
  readonly why: string;
  readonly hint: string;
}

function reasonOf(error: unknown, access: Access): Reason {
  if (error instanceof ApiError) return refusal(error);
  const why = asClause(error instanceof Error ? error.message : String(error));
  if (error instanceof KubeconfigError) {
    const hint = 'Name another kubeconfig with --kubeconfig, or another part of it with --context';
    return { why, hint };
  }
  if (error instanceof ExecPluginError) {
    return { why, hint: 'Log in with the tool that the kubeconfig names, and try again' };
  }
  if (error instanceof TransportError) return { why, hint: transportHint(error, access) };
  if (error instanceof DeadlineError) {
    return { why: 'the server did not answer in time', hint: lostAnswerHint(access) };
  }
  const hint =
    ownMember(systemHints, codeOf(error)) ??
    'Try again; if it stays so, please report it with the command you ran';
  return { why, hint };
}

function transportHint({ sent, cause }: TransportError, access: Access): string {
  const certificateHint = ownMember(certificateHints, codeOf(cause));
  if (certificateHint !== undefined) return `${certificateHint}, or ${anotherCluster}`;
  return sent
    ? lostAnswerHint(access)
    : `Check that the cluster runs and that you can reach it, or ${anotherCluster}`;
}

function lostAnswerHint(access: Access): string {
  return access === 'write'
    ? 'The server may have done it all the same: look before you try again'
    : `Try again, or ${anotherCluster}`;
}

const untrusted =
  'Check the CA of the cluster in the kubeconfig (certificate-authority-data): it did not sign the certificate that the server shows';

/** By the codes of OpenSSL and Node, for certificates of a server that are not accepted. */
const certificateHints: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_HAS_EXPIRED: 'Have the certificate of the server renewed, check the clock of this machine',
  CERT_NOT_YET_VALID: 'Check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Use an address that the certificate of the server names, or name it with tls-server-name in the kubeconfig',
};

const noSpace = 'Free some space on the disk, or write somewhere else, and try again';

/** By the codes of the operating system. */
const systemHints: Readonly<Record<string, string>> = { ENOSPC: noSpace, EDQUOT: noSpace };

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
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
  if (isConflict(error)) return { why, hint: 'Another client changed it meanwhile: try again' };
  if (/database space exceeded|no space left on device/.test(refused.message)) {
    return { why, hint: 'The storage of the server is full: have its etcd compacted or enlarged' };
  }
  return { why, hint: 'Try again when the server has recovered' };
}

/** Messages are sentences; here they follow a colon. Names that start with a capital keep it. */
function asClause(message: string): string {
  return message.replace(/^[A-Z](?=[a-z]+ )/, (letter) => letter.toLowerCase());
}
