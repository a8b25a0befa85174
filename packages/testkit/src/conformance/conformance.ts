import { liqoKinds } from './liqo-kinds-suite.ts';
import { patches } from './patches.ts';
import type { GetSubject } from './subject.ts';
import { subresources } from './subresources.ts';
import { verbs } from './verbs.ts';
import { watches } from './watches.ts';

/** What any Kubernetes must do, seen through our client. Declares tests: call it inside a suite. */
export function conformance(subject: GetSubject): void {
  verbs(subject);
  patches(subject);
  watches(subject);
  subresources(subject);
  liqoKinds(subject);
}
