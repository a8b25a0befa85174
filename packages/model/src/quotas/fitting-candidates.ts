import { addAmounts, noAmounts, subtractAmounts } from './amounts.ts';
import { type Candidate, judgeByQuotas, type QuotaFacts } from './judge-by-quotas.ts';
import { Ledger } from './ledger.ts';

/** Those candidates, in the order given, that fit beside all charged pods and beside the fitting ones before them. */
export function fittingCandidates(
  candidates: readonly Candidate[],
  facts: QuotaFacts,
): readonly Candidate[] {
  const promised = new Ledger();
  const ledger: QuotaFacts['ledger'] = {
    get: (key) => facts.ledger.get(key),
    used: (tenant, creator) =>
      addAmounts(facts.ledger.used(tenant, creator), promised.used(tenant, creator)),
  };
  return candidates.filter((candidate) => {
    const verdict = judgeByQuotas(candidate, { ...facts, ledger });
    if (!verdict.allowed) return false;
    const { charge } = verdict;
    const present = ledger.get(candidate.key)?.demand ?? noAmounts;
    promised.set(candidate.key, { ...charge, demand: subtractAmounts(charge.demand, present) });
    return true;
  });
}
