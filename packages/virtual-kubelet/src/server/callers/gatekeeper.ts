import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Client, Clock, Random } from '@liqo/kube';
import type { Logger } from '@liqo/runtime';
import { HttpRefusal } from '../http-refusal.ts';
import type { Route } from '../route.ts';
import { AccessControl } from './access-control.ts';
import type { Caller } from './caller.ts';
import { type CertificateVerdict, judgeCertificate } from './certificate-caller.ts';
import { ClientAuthorities } from './client-authorities.ts';
import { nodeQuestion } from './node-question.ts';
import { bearerToken, TokenCallers } from './token-callers.ts';

export interface GatekeeperParts {
  /** Asked about tokens and rights: the cluster that the node is in. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly nodeName: string;
}

/** Lets through who may ask for what they ask for. Whatever cannot be found out is a no. */
export class Gatekeeper implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #nodeName: string;
  readonly #authorities: ClientAuthorities;
  readonly #tokens: TokenCallers;
  readonly #access: AccessControl;

  constructor(parts: GatekeeperParts) {
    const { client, clock, nodeName } = parts;
    this.#clock = clock;
    this.#nodeName = nodeName;
    this.#authorities = new ClientAuthorities(parts);
    this.#tokens = new TokenCallers(client, clock);
    this.#access = new AccessControl(client, clock, nodeName);
  }

  /** Throws an `HttpRefusal` unless the caller is known and may do this. */
  async admit(request: IncomingMessage, route: Route): Promise<Caller> {
    const caller = await this.#identify(request);
    const question = nodeQuestion(route);
    const may = await this.#access.mayAsk(caller, question).catch(unavailable('rights'));
    if (may) return caller;
    const { verb, subresources } = question;
    const facts = [
      `user=${caller.name}`,
      `verb=${verb}`,
      'resource=nodes',
      `name=${this.#nodeName}`,
      `subresource(s)=[${subresources.join(' ')}]`,
    ];
    throw new HttpRefusal(403, `Forbidden (${facts.join(', ')})`, { reason: 'Forbidden' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#authorities[Symbol.asyncDispose]();
  }

  /** By client certificate, else by bearer token. */
  async #identify({ socket, headers }: IncomingMessage): Promise<Caller> {
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    const verdict = certificate && this.#judge(certificate);
    if (verdict && 'caller' in verdict) return verdict.caller;
    const token = bearerToken(headers.authorization);
    const bearer = token && (await this.#tokens.find(token).catch(unavailable('token')));
    if (bearer) return bearer;
    throw unauthorized(verdict?.fault, token !== undefined);
  }

  #judge(certificate: X509Certificate): CertificateVerdict {
    const authorities = this.#authorities.current;
    if (authorities.length === 0) return { fault: this.#authorities.whyUnknown() };
    return judgeCertificate(certificate, authorities, this.#clock.now());
  }
}

function unauthorized(fault: string | undefined, hasToken: boolean): HttpRefusal {
  const facts = [
    ...(fault === undefined ? [] : [`the client certificate does not count: ${fault}`]),
    ...(hasToken ? ['the bearer token is not valid'] : []),
  ];
  const why = facts.join('; ') || 'a client certificate or a bearer token is needed';
  return new HttpRefusal(401, `Unauthorized: ${why}`, { reason: 'Unauthorized' });
}

function unavailable(what: string): (error: unknown) => never {
  return (cause) => {
    const said = cause instanceof Error ? cause.message : String(cause);
    const message = `Cannot check the ${what} of the caller: ${said}`;
    throw new HttpRefusal(503, message, { reason: 'ServiceUnavailable', cause });
  };
}
