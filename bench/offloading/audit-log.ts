import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RealClusterOptions } from '@liqo/testkit/real-cluster';

/** One request, as the API server noted it down. */
export interface AuditedRequest {
  readonly user: string;
  /** `create`, `patch`, `watch`, … */
  readonly verb: string;
  /** `pods`, `pods/status`, `shadowpods.offloading.liqo.io`, … */
  readonly resource: string;
  readonly name: string;
  readonly code: number;
}

interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

/** Everything that reaches an API server, by whom: slower, so only where requests are counted and not time. */
export class AuditLog {
  readonly flags: NonNullable<RealClusterOptions['apiServerFlags']>;
  readonly #path: string;
  #seenBytes = 0;

  constructor(name: string) {
    const stem = join(tmpdir(), `liqo-bench-${name}-${process.pid}`);
    this.#path = `${stem}-audit.log`;
    const policy = `${stem}-policy.yaml`;
    writeFileSync(policy, JSON.stringify(metadataOfEverything));
    this.flags = { 'audit-policy-file': policy, 'audit-log-path': this.#path };
  }

  /** What has come since this was last asked. */
  take(): AuditedRequest[] {
    if (!existsSync(this.#path)) return [];
    const bytes = readFileSync(this.#path);
    const whole = bytes.lastIndexOf(0x0a) + 1;
    const text = bytes.subarray(this.#seenBytes, whole).toString();
    this.#seenBytes = whole;
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => describe(JSON.parse(line)));
  }
}

const metadataOfEverything = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [{ level: 'Metadata' }],
};

function describe({ verb, user, objectRef = {}, responseStatus }: AuditEvent): AuditedRequest {
  const { resource = '', subresource, apiGroup, name = '' } = objectRef;
  const group = apiGroup ? `.${apiGroup}` : '';
  return {
    user: user.username,
    verb,
    resource: `${resource}${group}${subresource ? `/${subresource}` : ''}`,
    name,
    code: responseStatus?.code ?? 0,
  };
}
