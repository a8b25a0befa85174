import type { ApiError } from '@liqo/kube';

type Status = ConstructorParameters<typeof ApiError>[0];
type StatusDetails = ApiError['details'];

export interface RefusalFacts {
  /** One word, as Kubernetes spells it. */
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly cause?: unknown;
}

/** A request that is answered with a status and the reason in words. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails;

  constructor(code: number, message: string, facts: RefusalFacts = {}) {
    super(message, { cause: facts.cause });
    this.code = code;
    this.reason = facts.reason ?? '';
    this.details = facts.details;
  }

  /** As API servers and `kubectl` read it. */
  toStatus(): Status {
    const { code, message, reason, details } = this;
    const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
    return { ...head, message, ...(reason && { reason }), ...(details && { details }), code };
  }
}
