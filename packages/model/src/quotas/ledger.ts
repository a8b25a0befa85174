import { type Amounts, addAmounts, namesAbove, noAmounts, subtractAmounts } from './amounts.ts';

/** What one pod takes, and of which quota. */
export interface Charge {
  /** The cluster ID of the consumer. */
  readonly tenant: string;
  /** The value of the label `liqo.io/creator-user`; undefined where nothing has set it. */
  readonly creator: string | undefined;
  readonly demand: Amounts;
}

/**
 * What is charged to each user, as sums that are kept up to date one pod at a time. Amounts are exact: after any sequence of
 * changes the sums are those of the charges that are left, whatever the order was.
 */
export class Ledger {
  readonly #charges = new Map<string, Charge>();
  readonly #sums = new Map<string, Amounts>();

  /** Replaces what is charged under this key; undefined when nothing is any more. */
  set(key: string, charge: Charge | undefined): void {
    const before = this.#charges.get(key);
    if (before) this.#add(before, subtractAmounts);
    if (charge) this.#add(charge, addAmounts);
    if (charge) this.#charges.set(key, charge);
    else this.#charges.delete(key);
  }

  get(key: string): Charge | undefined {
    return this.#charges.get(key);
  }

  used(tenant: string, creator: string | undefined): Amounts {
    return this.#sums.get(account(tenant, creator)) ?? noAmounts;
  }

  #add({ tenant, creator, demand }: Charge, change: typeof addAmounts): void {
    const name = account(tenant, creator);
    const sum = change(this.#sums.get(name) ?? noAmounts, demand);
    if (sum.size > 0) this.#sums.set(name, sum);
    else this.#sums.delete(name);
  }
}

function account(tenant: string, creator: string | undefined): string {
  return JSON.stringify([tenant, creator]);
}

/** Whether less is charged after a change than before, of any resource or of an account. */
export function isFreeing(before: Charge, after: Charge | undefined): boolean {
  const isMoved = before.tenant !== after?.tenant || before.creator !== after?.creator;
  return isMoved || namesAbove(before.demand, after?.demand ?? noAmounts).length > 0;
}
