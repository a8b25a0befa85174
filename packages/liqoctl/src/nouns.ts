import { ownMember } from '@liqo/kube';

/** What commands act on, and what else it may be called: kubectl's plurals and short names. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  virtualnode: ['virtualnodes', 'vn', 'vnode', 'vno', 'virno'],
  namespace: ['namespaces', 'ns'],
  resourceslice: ['resourceslices', 'rs', 'rslice'],
  tenant: ['tenants'],
  advertisement: ['advertisements', 'adv'],
  offer: ['offers'],
  kubeconfig: ['kc'],
};

/** The word as the table of commands has it. */
export function canonicalWord(word: string): string {
  const [noun] = Object.entries(otherNames).find(([, names]) => names.includes(word)) ?? [];
  return noun ?? word;
}

export function aliasesOf(noun: string): readonly string[] {
  return ownMember(otherNames, noun) ?? [];
}
