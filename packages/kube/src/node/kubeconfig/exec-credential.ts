import { ownMember } from '../../json.ts';
import type { ExecPlugin } from './exec-plugin.ts';
import { ExecPluginError } from './exec-plugin-error.ts';
import { fitsHeader } from './header-value.ts';
import { type KeyPair, keyPairProblem } from './key-pair.ts';

/** What a plugin handed out: a token, a client certificate, or both. */
export interface ExecCredential {
  readonly token: string | undefined;
  readonly keyPair: KeyPair | undefined;
  /** Milliseconds since the epoch; infinite when the plugin set no end. */
  readonly expiresAtMs: number;
}

/** Reads the `ExecCredential` object that a plugin printed. No part of it ends up in an error. */
export function parseExecCredential(plugin: ExecPlugin, stdout: string): ExecCredential {
  const output = parseObject(plugin, stdout);
  refuseOtherKinds(plugin, output);
  const status = output.status;
  if (!isObject(status)) throw new ExecPluginError(plugin, 'its output has no status');
  const credential = {
    token: readToken(plugin, status),
    keyPair: readKeyPair(plugin, status),
    expiresAtMs: readExpiry(plugin, status),
  };
  if (credential.token || credential.keyPair) return credential;
  throw new ExecPluginError(plugin, 'its output has neither a token nor a client certificate');
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseObject(plugin: ExecPlugin, stdout: string): JsonObject {
  const output = parseJson(stdout);
  if (isObject(output)) return output;
  throw new ExecPluginError(plugin, 'its output is not a JSON object of kind ExecCredential');
}

/** The parser's own error quotes the text, so it is dropped. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuseOtherKinds(plugin: ExecPlugin, output: JsonObject): void {
  if (output.kind !== 'ExecCredential') {
    throw new ExecPluginError(plugin, 'its output is not of kind ExecCredential');
  }
  if (output.apiVersion !== plugin.apiVersion) {
    const reason = `it was asked to speak "${plugin.apiVersion}" and answered in another version`;
    throw new ExecPluginError(plugin, reason);
  }
}

function readToken(plugin: ExecPlugin, status: JsonObject): string | undefined {
  const token = readText(plugin, status, 'token');
  if (token === undefined || fitsHeader(token)) return token;
  throw new ExecPluginError(plugin, 'its token has a character that no header can hold');
}

function readKeyPair(plugin: ExecPlugin, status: JsonObject): KeyPair | undefined {
  const cert = readText(plugin, status, 'clientCertificateData');
  const key = readText(plugin, status, 'clientKeyData');
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new ExecPluginError(plugin, 'its output has a client certificate or key but not both');
  }
  const problem = keyPairProblem({ cert, key });
  if (problem) throw new ExecPluginError(plugin, `its client certificate ${problem}`);
  return { cert, key };
}

function readExpiry(plugin: ExecPlugin, status: JsonObject): number {
  const text = readText(plugin, status, 'expirationTimestamp');
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const expiresAtMs = Date.parse(text);
  if (!Number.isNaN(expiresAtMs)) return expiresAtMs;
  throw new ExecPluginError(plugin, 'its expirationTimestamp is not a date and time');
}

/** An empty string counts as absent. */
function readText(plugin: ExecPlugin, status: JsonObject, key: string): string | undefined {
  const value = ownMember(status, key) ?? '';
  if (typeof value === 'string') return value || undefined;
  throw new ExecPluginError(plugin, `the ${key} in its output is not a string`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
