/** Where the tests are. */
const folders = {
  decisions: 'packages/controllers/src/offers/decision-cases.cluster.test.ts',
  life: 'packages/controllers/src/offers/life-cases.cluster.test.ts',
  fetched: 'packages/controllers/src/offers/fetched-offers.cluster.test.ts',
  offers: 'packages/controllers/src/offers/offers.cluster.test.ts',
  suite: 'packages/playground/src/testing/offer-suite.ts',
} as const;

export interface SentenceTests {
  /** How the sentence of `seeds/advertisement-operator.md` begins. */
  readonly sentence: string;
  /** The names of the tests that prove it begin like this. */
  readonly tests: readonly (readonly [file: string, name: string])[];
}

const { decisions, life, fetched, offers, suite } = folders;

/** Every sentence of the page that says what the operator does, and the tests that prove it. */
export const offerSentences: readonly SentenceTests[] = [
  {
    sentence: 'The advertisement operator is the module that receives Advertisement CRs',
    tests: [
      [offers, 'that is accepted becomes a VirtualNode'],
      [suite, 'case 13:'],
    ],
  },
  {
    sentence:
      'Doing so, the remote clusters (emulated by the virtual nodes) are taken into account',
    tests: [[suite, 'runs pods as a user of its own']],
  },
  {
    sentence: 'The operator dynamically watches the `ClusterConfig` CR',
    tests: [
      [decisions, 'case 2:'],
      [decisions, 'case 17:'],
      [life, 'case 52:'],
    ],
  },
  {
    sentence: 'if `MaxAcceptableAdvertisements` increases',
    tests: [
      [decisions, 'case 2:'],
      [decisions, 'case 3:'],
    ],
  },
  {
    sentence: 'if MaxAcceptableAdvertisements decreases',
    tests: [
      [decisions, 'case 4:'],
      [decisions, 'case 5:'],
    ],
  },
  {
    sentence: 'Implement manual acceptance of Advertisement',
    tests: [
      [decisions, 'case 12:'],
      [decisions, 'case 13:'],
      [decisions, 'case 14:'],
      [suite, 'case 16:'],
    ],
  },
  {
    sentence: 'Implement more complex policies',
    tests: [
      [decisions, 'case 19:'],
      [decisions, 'case 20:'],
      [decisions, 'case 21:'],
    ],
  },
  {
    sentence: 'Gracefully delete the virtual-kubelet when the Advertisement is deleted',
    tests: [[suite, 'case 40:']],
  },
  {
    sentence: 'However, the deletion order is',
    tests: [
      [life, 'case 40:'],
      [suite, 'case 40:'],
    ],
  },
  {
    sentence: 'The desired deletion order is the opposite',
    tests: [
      [life, 'case 40:'],
      [suite, 'case 40:'],
    ],
  },
  {
    sentence: 'Recreate the Virtual-Kubelet if it is unexpectedly deleted',
    tests: [[suite, 'case 36:']],
  },
  {
    sentence: 'If an Accepted Advertisement exists in the cluster',
    tests: [
      [life, 'case 37:'],
      [suite, 'case 38:'],
    ],
  },
  {
    sentence: 'If the Deployment of the Virtual-Kubelet is deleted in some way',
    tests: [
      [suite, 'case 36:'],
      [life, 'case 39:'],
    ],
  },
  {
    sentence: 'An `Advertisement` is created by the foreign cluster',
    tests: [[fetched, 'an offer is fetched with its kubeconfig alone']],
  },
  {
    sentence: 'Apply configuration read from the `ClusterConfig` CR',
    tests: [[decisions, 'case 1:']],
  },
  {
    sentence: 'If the `Advertisement` is accepted, wait for the network modules',
    tests: [
      [life, 'case 30:'],
      [life, 'case 31:'],
    ],
  },
  {
    sentence: 'When everything has been set up, create the Virtual-Kubelet deployment',
    tests: [
      [life, 'case 33:'],
      [suite, 'case 13:'],
    ],
  },
  {
    sentence: 'The Virtual-Kubelet creates a virtual node linked with the foreign cluster',
    tests: [
      [suite, 'runs pods as a user of its own'],
      [suite, 'case 38:'],
    ],
  },
];

/** Files with cases of the design, by number. */
export const caseFiles: readonly string[] = [
  decisions,
  life,
  fetched,
  suite,
  'packages/controllers/src/offers/provider-cases.cluster.test.ts',
  'packages/controllers/src/namespaces/namespaces.cluster.test.ts',
  'packages/playground/src/admission.cluster.test.ts',
];
