import {
  ForeignCluster,
  fixedNames,
  Identity,
  ResourceSlice,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import {
  CertificateSigningRequest,
  type Kind,
  type KubeObject,
  Namespace,
  RoleBinding,
  Secret,
} from '@liqo/kube';
import { forgeKubeconfig, printKubeconfig } from '@liqo/kube/node';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PeeringWorld, startPeeringWorld } from '../testing/peering-world.ts';
import { runHere } from '../testing/run-here.ts';

const remote = '--remote-kubeconfig %milan';
const nonce = Buffer.alloc(64, 7).toString('base64');

/** What is said (with the kubeconfig of the local cluster behind `@`, of another one behind `%`), the exit code, and the answer. */
const wrong: readonly (readonly [string, 1 | 2, RegExp])[] = [
  // Flags.
  ['peer @rome', 2, /it needs "--remote-kubeconfig" or "--remote-context"/],
  ['unpeer @rome', 2, /it needs "--remote-kubeconfig" or "--remote-context"/],
  ['authenticate @rome', 2, /it needs "--remote-kubeconfig" or "--remote-context"/],
  ['unauthenticate @rome', 2, /it needs "--remote-kubeconfig" or "--remote-context"/],
  ['peer milan @rome', 2, /it takes no "milan"/],
  [`peer ${remote} --cpu two @rome`, 2, /cannot parse quantity "two"/],
  [`peer ${remote} --cpu -1 @rome`, 2, /negative/],
  [`peer ${remote} --pods 1.5 @rome`, 2, /whole number/],
  [`peer ${remote} --cpu 1 --resource cpu=2 @rome`, 2, /not both/],
  [`peer ${remote} --resource gpu @rome`, 2, /not of the form key=value/],
  [`peer ${remote} --create-resource-slice=false --cpu 2 @rome`, 2, /"--cpu" needs a slice/],
  [`peer ${remote} --create-resource-slice=perhaps @rome`, 2, /neither true nor false/],
  [`peer ${remote} --resource-slice-class Big! @rome`, 2, /Big!/],
  [`peer ${remote} --timeout soon @rome`, 2, /cannot parse duration "soon"/],
  [`peer ${remote} --in-band @rome`, 2, /needs a network module/],
  [`peer ${remote} --proxy-url proxy:3128 @rome`, 2, /not the URL of an HTTP proxy/],
  [
    `peer ${remote} --proxy-url http://me:secret@proxy:3128 @rome`,
    2,
    /has a user name or a password/,
  ],
  [
    `peer ${remote} --proxy-url http://proxy:3128/path @rome`,
    2,
    /more than a scheme, a host and a port/,
  ],
  [`peer ${remote} --gw-server-service-type Magic @rome`, 2, /LoadBalancer, NodePort/],
  [`authenticate ${remote} --remote-namespace Upper @rome`, 2, /Upper/],
  [`unpeer ${remote} --delete-namspaces @rome`, 2, /did you mean "--delete-namespaces"\?/],
  ['create nonce', 2, /"--remote-cluster-id" is missing/],
  ['create nonce --remote-cluster-id Rome! @milan', 2, /Rome!/],
  ['generate tenant --remote-cluster-id milan @rome', 2, /"--nonce" is missing/],
  ['generate tenant --remote-cluster-id milan --nonce abc @rome', 2, /is not a nonce/],
  [
    `generate tenant --remote-cluster-id milan --nonce ${nonce} -o wide @rome`,
    2,
    /not one of yaml, json/,
  ],
  ['generate peering-user @milan', 2, /"--consumer-cluster-id" is missing/],
  [
    'generate peering-user --consumer-cluster-id rome --tls-compatibility-mode maybe @milan',
    2,
    /auto, true, false/,
  ],
  ['get kubeconfig --remote-cluster-id milan @rome', 2, /it needs a/],
  ['cordon tenant @milan', 2, /it needs a NAME/],
  ['drain tenant rome turin @milan', 2, /it takes no "turin"/],
  ['force unpeer @rome', 2, /it needs a/],
  ['force unpeer Milan! @rome', 2, /Milan!/],
  // Which clusters.
  [`peer --remote-kubeconfig %nofile @rome`, 1, /there is no such file/],
  [`peer --remote-kubeconfig %rome @rome`, 1, /both kubeconfigs lead to/],
  [`unpeer --remote-kubeconfig %rome @rome`, 1, /both kubeconfigs lead to/],
  [`peer --remote-kubeconfig %nowhere @rome`, 1, /cannot reach/],
  [`peer --remote-kubeconfig %bare @rome`, 1, /not installed/],
  [`peer ${remote} @bare`, 1, /not installed/],
  [`peer ${remote} @nobody`, 1, /forbidden.*\n {2}Ask an administrator/],
  [`peer --remote-kubeconfig %stranger @rome`, 1, /does not accept your credentials/],
  [`peer ${remote} --remote-context nope @rome`, 1, /there is no context "nope"/],
  [`peer ${remote} --remote-liqo-namespace elsewhere @rome`, 1, /not installed.*elsewhere/],
  [`authenticate ${remote} --namespace default @rome`, 1, /another namespace of the name/],
  // What is not there.
  ['generate identity --remote-cluster-id turin @milan', 1, /there is no Tenant/],
  ['generate identity --remote-cluster-id milan @milan', 1, /is the cluster "milan" itself/],
  ['generate peering-user --consumer-cluster-id milan @milan', 1, /is the cluster "milan" itself/],
  ['get nonce --remote-cluster-id turin @milan', 1, /no tenant namespace/],
  ['get kubeconfig x --remote-cluster-id milan @rome', 1, /no tenant namespace/],
  ['cordon tenant turin @milan', 1, /turin/],
  ['activate tenant turin @milan', 1, /turin/],
  ['drain tenant turin --skip-confirm @milan', 1, /turin/],
  ['force unpeer milan --skip-confirm @rome', 1, /milan/],
  ['force unpeer rome --skip-confirm @rome', 1, /is the cluster "rome" itself/],
];

const kinds = [
  CertificateSigningRequest,
  ForeignCluster,
  Identity,
  Namespace,
  ResourceSlice,
  RoleBinding,
  Secret,
  Tenant,
  VirtualNode,
] as readonly Kind<KubeObject>[];

describe('the commands of a peering, called wrongly', () => {
  let world: PeeringWorld;
  let bare: Minicluster;
  const kubeconfigs = new Map<string, string>();

  beforeAll(async () => {
    [world, bare] = await Promise.all([
      startPeeringWorld(),
      startMinicluster({ name: 'bare', clock: systemClock, random: systemRandom }),
    ]);
    const { rome, milan } = world;
    const texts = {
      rome: rome.kubeconfigText,
      milan: milan.kubeconfigText,
      bare: bare.kubeconfigText,
      nobody: rome.kubeconfigFor({ name: 'nobody', groups: [] }),
      stranger: milan.kubeconfigText
        .replace(/client-certificate-data: .*/, 'token: wrong')
        .replace(/client-key-data: .*/, ''),
      nowhere: printKubeconfig(
        forgeKubeconfig({ name: 'x', server: 'https://127.0.0.1:1', user: { token: 'x' } }),
      ),
    };
    for (const [name, text] of Object.entries(texts)) {
      kubeconfigs.set(name, await world.file(`${name}.kubeconfig`, text));
    }
    kubeconfigs.set('nofile', '/nonexistent/kubeconfig');
    // The controllers make them when they start; nothing else changes by itself.
    const keys = { namespace: 'liqo', name: fixedNames.authenticationKeysSecret };
    await eventually(async () => {
      for (const { client } of [rome, milan]) expect(await client.get(Secret, keys)).toBeDefined();
    });
  }, 120_000);

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await bare[Symbol.asyncDispose]();
  });

  async function state(): Promise<readonly string[]> {
    const lists = await Promise.all(
      [world.rome, world.milan].flatMap(({ client }) => kinds.map((kind) => client.list(kind))),
    );
    return lists.flatMap(({ items }) =>
      items.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid}`),
    );
  }

  test.each(wrong)('%s: %i', async (line, code, says) => {
    const words = line.split(' ');
    const local = words.find((word) => word.startsWith('@'))?.slice(1) ?? '';
    const args = words
      .filter((word) => !word.startsWith('@'))
      .map((word) => word.replace(/^%(\w+)$/, (_, name) => kubeconfigs.get(name) ?? ''));
    const path = kubeconfigs.get(local);
    const before = await state();
    const outcome = await runHere(args, { env: path ? { KUBECONFIG: path } : {} });
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toMatch(
      /^(No network module .+\n)?✖ Cannot .+[^.\n]\n {2}["A-Z].+[^.\n]\n$/,
    );
    expect(outcome.stderr).not.toMatch(/\n\s+at |undefined|\[object|node:|Error:/);
    expect(outcome.stderr).toMatch(says);
    expect(await state()).toEqual(before);
  });

  test.each([
    ['unpeer', /^All that "rome" has at "milan" will be removed, .* Go on\? \[y\/N\] $/],
    ['unauthenticate', /^"rome" will lose its identity at "milan"\. Go on\? \[y\/N\] $/],
  ])('%s asks, and changes nothing when the answer is no', async (line, question) => {
    const questions: string[] = [];
    const ask = async (text: string) => {
      questions.push(text);
      return '';
    };
    const before = await state();
    const { code, stderr } = await world.atBoth(line, { ask });
    expect({ code, questions }).toEqual({ code: 1, questions: [expect.stringMatching(question)] });
    expect(stderr).toContain('✖ Nothing was changed: you did not say yes\n');
    expect(await state()).toEqual(before);
  });
});
