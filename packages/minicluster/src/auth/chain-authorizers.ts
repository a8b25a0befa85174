import type { Authorizer } from './access.ts';

/** One after the other, until one allows; otherwise everybody's reasons. */
export function chainAuthorizers(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize(access) {
      const reasons: string[] = [];
      for (const authorizer of authorizers) {
        const verdict = authorizer.authorize(access);
        if (verdict.allowed) return verdict;
        if (verdict.reason) reasons.push(verdict.reason);
      }
      return { allowed: false, reason: reasons.join('\n') };
    },
  };
}
