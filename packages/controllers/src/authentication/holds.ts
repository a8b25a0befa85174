import { ownMember } from '@liqo/kube';

type Strings = Readonly<Record<string, string>>;

/** Whether labels, annotations or data have what is wanted. Others may have added theirs. */
export function holds(known: Strings = {}, wanted: Strings = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => ownMember(known, name) === value);
}
