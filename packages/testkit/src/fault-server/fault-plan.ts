import type { TransportRequest } from '@liqo/kube';
import type { Fault } from './fault.ts';

interface Rule {
  readonly matches: (request: TransportRequest) => boolean;
  readonly faults: (Fault | undefined)[];
}

/** Which request gets which fault. */
export class FaultPlan {
  #rules: Rule[] = [];

  /** The next requests that match get these faults, one each, in this order; `undefined` is none. */
  next(matches: Rule['matches'], ...faults: readonly (Fault | undefined)[]): void {
    this.#rules.push({ matches, faults: [...faults] });
  }

  /** How many faults have not happened yet. */
  get left(): number {
    return this.#rules.reduce((sum, { faults }) => sum + faults.length, 0);
  }

  take(request: TransportRequest): Fault | undefined {
    this.#rules = this.#rules.filter(({ faults }) => faults.length > 0);
    return this.#rules.find(({ matches }) => matches(request))?.faults.shift();
  }
}

export function isWatch({ path }: TransportRequest): boolean {
  return path.includes('watch=true');
}

export function isList({ method, path }: TransportRequest): boolean {
  return method === 'GET' && path.includes('limit=') && !path.includes('watch=true');
}

export function isWrite({ method }: TransportRequest): boolean {
  return method !== 'GET';
}
