import {
  Advertisement,
  ClusterConfig,
  NamespaceOffloading,
  ResourceSlice,
  VirtualNode,
} from '@liqo/api';
import { ClusterRole, CustomResourceDefinition, Deployment, Namespace, Secret } from '@liqo/kube';
import { forgeKubeconfig, type Kubeconfig, printKubeconfig } from '@liqo/kube/node';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from './testing/run-here.ts';
import { startWorld, type World } from './testing/world.ts';

const tenant = 'liqo-tenant-milan';
/** A good beginning, for those whose end is bad. */
const create = 'create virtualnode new --remote-cluster-id milan';
const fromSecret = `${create} --kubeconfig-secret-name way-to-milan`;

/** What is said (with the name of a kubeconfig behind `@`), the exit code, and what the answer has to say. */
const wrong: readonly (readonly [string, 1 | 2, RegExp])[] = [
  // No such command.
  ['frobnicate', 2, /there is no such command\n {2}"liqoctl --help" lists/],
  ['offlaod namespace shop', 2, /did you mean "offload"\?/],
  ['get pods', 2, /Cannot run "liqoctl get pods"/],
  ['get virtualnod', 2, /did you mean "virtualnode"\?/],
  ['create', 2, /needs one more word, such as "resourceslice"/],
  ['create --cpu 2', 2, /"liqoctl create --help"/],
  ['--colour', 2, /there is no flag "--colour"/],
  ['help frobnicate', 2, /there is no such command/],
  ['completion', 2, /it needs a bash\|zsh\|fish/],
  ['completion powershell', 2, /"powershell" is not one of bash, zsh, fish/],
  // Flags.
  ['info --colour red', 2, /there is no flag "--colour"/],
  ['info --outptu json', 2, /did you mean "--output"\?/],
  ['info -x', 2, /there is no flag "-x"/],
  ['info -o xml', 2, /"--output=xml" is not one of table, json, yaml/],
  ['info -o', 2, /"-o" needs a value/],
  ['info extra', 2, /it takes no "extra"/],
  ['info --kubeconfig=', 2, /"--kubeconfig" is empty/],
  ['info --context --user x', 2, /"--context" needs a value/],
  ['get vn -o toml', 2, /not one of table, wide, json, yaml, name/],
  ['get vn -n Upper', 2, /"--namespace=Upper" has characters other than/],
  ['version --client=perhaps', 2, /neither true nor false/],
  // create virtualnode.
  ['create virtualnode', 2, /"--remote-cluster-id" is missing; it needs a NAME/],
  ['create virtualnode a b --remote-cluster-id milan', 2, /it takes no "b"/],
  [create, 2, /it needs one of "--kubeconfig-secret-name" and "--resource-slice-name"/],
  [`${fromSecret} --resource-slice-name mypool`, 2, /only one of/],
  [
    'create vn My_Node --remote-cluster-id milan --kubeconfig-secret-name x',
    2,
    /the name "My_Node"/,
  ],
  ['create vn a --remote-cluster-id -- --kubeconfig-secret-name x', 2, /needs a value/],
  ['create vn a --remote-cluster-id Milan! --kubeconfig-secret-name x', 2, /Milan!/],
  [`${fromSecret} --cpu two`, 2, /cannot parse quantity "two"/],
  [`${fromSecret} --memory 4Gb`, 2, /"Gb" is not a suffix/],
  [`${fromSecret} --pods -1`, 2, /is negative/],
  [`${fromSecret} --pods 1.5`, 2, /"--pods=1.5" is not a whole number: pods cannot be divided/],
  [`${fromSecret} --resource nvidia.com/gpu=0.5`, 2, /is not a whole number/],
  [`${fromSecret} --resource gpu`, 2, /not of the form key=value/],
  [`${fromSecret} --resource gpu=lots`, 2, /cannot parse quantity "lots"/],
  [`${fromSecret} --labels =x`, 2, /not of the form key=value/],
  [`${fromSecret} --timeout soon`, 2, /cannot parse duration "soon"/],
  [`${fromSecret} --timeout 0s`, 2, /not between 0 and 24 hours/],
  [`${fromSecret} -o wide`, 2, /not one of json, yaml/],
  [`${fromSecret} --vk-options-template a/b/c`, 2, /not of the form namespace\/name/],
  [`${fromSecret} --dry-run=maybe`, 2, /neither true nor false/],
  [
    `${create} --kubeconfig-secret-name nope @rome`,
    1,
    /there is none of that name\n {2}Put a kubeconfig/,
  ],
  [`${create} --kubeconfig-secret-name empty @rome`, 1, /it has no key "kubeconfig"/],
  [`${create} --kubeconfig-secret-name broken @rome`, 1, /cannot use kubeconfig/],
  [`${create} --kubeconfig-secret-name thief @rome`, 1, /Cannot use the Secret "thief"/],
  [`${create} --resource-slice-name nope @rome`, 1, /kubectl get resourceslices -A/],
  [`${create} --resource-slice-name pending @rome`, 1, /the provider has not accepted it/],
  [
    'create vn new --remote-cluster-id turin --kubeconfig-secret-name x @rome',
    1,
    /tenant namespace/,
  ],
  [
    'create vn new --remote-cluster-id turin --kubeconfig-secret-name x -o yaml @rome',
    1,
    /is none/,
  ],
  [
    fromSecret.replace('new', 'taken @rome'),
    1,
    /one of that name already\n.*get virtualnode taken/,
  ],
  [fromSecret.replace('new', 'rome-1 @rome'), 1, /a Node of that name, which is a real one/],
  [
    `${fromSecret} -n elsewhere @rome`,
    1,
    /Cannot use the Secret "way-to-milan" of the namespace "elsewhere"/,
  ],
  [`${fromSecret} --labels a=b_`, 2, /the value "b_" of "--labels"/],
  // get and delete virtualnode.
  ['get vn nope @rome', 1, /Cannot get VirtualNode "nope": .*\n.*liqoctl get virtualnodes/],
  ['get vn taken nope @rome', 1, /Cannot get VirtualNode "nope"/],
  ['delete vn', 2, /it needs a NAME/],
  ['delete vn taken nope @rome', 1, /Cannot find VirtualNode "nope"/],
  ['get vn -A -n liqo', 2, /"--namespace" or "--all-namespaces", not both/],
  ['delete vn nope @rome', 1, /Cannot find VirtualNode "nope"/],
  ['delete vn taken -n default @rome', 1, /none of that name in the namespace "default"/],
  // Namespaces.
  ['offload namespace', 2, /it needs a NAME or "--ns-selector"/],
  ['offload namespace Shop', 2, /the namespace "Shop" has characters other than/],
  ['offload namespace shop --ns-selector a=b', 2, /not both/],
  ['offload namespace --ns-selector a=(', 2, /is no label selector/],
  ['offload namespace shop -l a=b=c', 2, /"--selector=a=b=c" is no label selector/],
  [
    'offload namespace shop --pod-offloading-strategy Everywhere',
    2,
    /LocalAndRemote, Local, Remote/,
  ],
  [
    'offload namespace shop --namespace-mapping-strategy SelectedName',
    2,
    /--remote-namespace-name/,
  ],
  ['offload namespace shop --remote-namespace-name x', 2, /SelectedName/],
  ['offload namespace nope @rome', 1, /kubectl create namespace nope/],
  ['offload namespace shop nope @rome', 1, /Cannot find the namespace "nope"/],
  [
    'offload namespace over --namespace-mapping-strategy EnforceSameName @rome',
    1,
    /unoffload namespace over/,
  ],
  ['offload namespace kube-system @rome', 1, /"kube-system" is a namespace of Kubernetes itself/],
  ['offload namespace shop kube-public @rome', 1, /Cannot offload the namespace "kube-public"/],
  ['offload namespace liqo @rome', 1, /Liqo itself is installed in "liqo"/],
  [`offload namespace ${tenant} @rome`, 1, /is a tenant namespace/],
  ['offload namespace --ns-selector kubernetes.io/metadata.name @rome', 1, /Cannot offload/],
  ['offload namespace kube-system -o yaml', 1, /Cannot offload the namespace "kube-system"/],
  ['offload namespace leaving @rome', 1, /it is just being taken back\n {2}Wait/],
  ['unoffload namespace', 2, /it needs a NAME or "--ns-selector"/],
  ['unoffload namespace nope --skip-confirm @rome', 1, /Cannot find the namespace "nope"/],
  ['unoffload namespace nope -y @rome', 1, /Cannot find the namespace "nope"/],
  ['unoffload namespace over @rome', 2, /nobody to ask\n.*--skip-confirm/],
  // Which cluster, and as whom.
  ['info', 1, /there is none: looked for .*\n.*--kubeconfig/],
  ['info --kubeconfig /nonexistent/kubeconfig', 1, /there is no such file/],
  ['info @broken', 1, /broken\.kubeconfig.*\n.*--kubeconfig/],
  ['info @empty', 1, /current-context/],
  ['get vn --context nope @rome', 1, /there is no context "nope"; the contexts are/],
  ['get vn --cluster nope @rome', 1, /there is no cluster "nope"/],
  ['get vn --user nope @rome', 1, /there is no user "nope"/],
  ['info @nowhere', 1, /cannot reach https:\/\/127\.0\.0\.1:1.*\n {2}Check that the cluster runs/],
  [`${fromSecret} @nowhere`, 1, /cannot reach/],
  ['offload ns shop @nowhere', 1, /cannot reach/],
  [
    'get vn @foreign-ca',
    1,
    /cannot reach https:\/\/\S+: .*\n {2}Check the CA of the cluster in the kubeconfig/,
  ],
  ['get vn @stranger', 1, /does not accept your credentials\n {2}Renew/],
  ['get vn @nobody', 1, /forbidden.*\n {2}Ask an administrator/],
  [`${fromSecret} -n ${tenant} @nobody`, 1, /Cannot create VirtualNode "new": .*forbidden/],
  ['offload ns shop @nobody', 1, /forbidden/],
  ['unoffload ns shop --skip-confirm @nobody', 1, /forbidden/],
  ['delete vn taken @nobody', 1, /forbidden/],
  // Liqo is not there.
  ['info @bare', 1, /not installed in the namespace "liqo" of this cluster\n.*-n/],
  ['get vn @bare', 1, /Liqo is not installed in this cluster\n {2}Install/],
  ['offload ns default @bare', 1, /Liqo is not installed/],
  ['info -n elsewhere @rome', 1, /not installed in the namespace "elsewhere"/],
  ['info peer nope @rome', 1, /Cannot show the peer "nope".*\n.*liqoctl info/],
  ['info peer Milan', 2, /the ID "Milan" has characters other than/],
  // install and uninstall.
  ['install a b', 2, /it takes no "b"/],
  ['install acme', 2, /"acme" is not one of/],
  ['install --cluster-id Rome', 2, /"--cluster-id=Rome" has characters other than/],
  ['install --set replicas', 2, /replicas/],
  ['install --set nothing.of.that=1', 2, /nothing/],
  ['install --set controllerManager.replicas=many', 2, /controllerManager\.replicas/],
  ['install --values /nonexistent.yaml', 1, /\/nonexistent\.yaml/],
  ['install -o yaml', 2, /without a cluster, nothing tells its ID\n {2}Add --cluster-id/],
  ['install -o table', 2, /not one of yaml, json/],
  ['install --timeout 0s', 2, /not between 0 and 24 hours/],
  ['install --cluster-id turin @rome', 1, /this cluster is "rome" already/],
  ['install @nobody', 1, /forbidden/],
  ['install @nowhere', 1, /cannot reach/],
  ['uninstall extra', 2, /it takes no "extra"/],
  ['uninstall @rome', 1, /it is in use by .*\n {2}End the peerings/],
  ['uninstall --timeout never', 2, /cannot parse duration "never"/],
  ['uninstall --skip-confirm -n Upper', 2, /"--namespace=Upper"/],
  ['uninstall --skip-confirm @nowhere', 1, /cannot reach/],
  // why, doctor, test offloading.
  ['why', 2, /it needs a KIND\/NAME/],
  ['why pod', 2, /is not of the form KIND\/NAME/],
  ['why pod/web vn/x', 2, /it takes no "vn\/x"/],
  ['why podd/web', 2, /did you mean "pod"\?/],
  ['why pod/a/b', 2, /is not of the form KIND\/NAME/],
  ['why pod/Web', 2, /the name "Web"/],
  ['why pod/web -o yaml', 2, /not one of table, json/],
  ['why pod/none @rome', 1, /there is no pod of that name in the namespace "default"/],
  ['why deploy/none @rome', 1, /there is no deployment of that name in the namespace "default"/],
  ['why offer/none @rome', 1, /there is no advertisement of that name/],
  ['why node/rome-1 @rome', 1, /there is no virtual node of that name/],
  ['why pod/web @nobody', 1, /forbidden/],
  ['why pod/web @bare', 1, /Liqo is not installed/],
  ['doctor extra', 2, /it takes no "extra"/],
  ['doctor -o yaml', 2, /not one of table, json/],
  ['doctor @nobody', 1, /forbidden/],
  ['doctor @stranger', 1, /does not accept your credentials/],
  ['doctor @nowhere', 1, /cannot reach/],
  ['test', 2, /such as "offloading"/],
  ['test offloading none @rome', 1, /there is no virtual node "none" with a Node/],
  ['test offloading --timeout 0s', 2, /not between 0 and 24 hours/],
  ['test offloading --image', 2, /"--image" needs a value/],
  ['test offloading @bare', 1, /Liqo is not installed/],
  // ResourceSlices.
  ['create resourceslice', 2, /"--remote-cluster-id" is missing; it needs a NAME/],
  ['create rs Up --remote-cluster-id milan', 2, /the name "Up"/],
  ['create rs a --remote-cluster-id milan --cpu lots', 2, /cannot parse quantity "lots"/],
  ['create rs a --remote-cluster-id milan --cpu 1 --resource cpu=2', 2, /not both/],
  ['create rs a --remote-cluster-id milan --class a/b/c', 2, /"--class=a\/b\/c"/],
  ['create rs a --remote-cluster-id turin @rome', 1, /turin/],
  ['create rs a --remote-cluster-id milan @nobody', 1, /forbidden/],
  ['get rs none @rome', 1, /there is none of that name\n.*liqoctl get resourceslices/],
  ['get rs -A -n liqo', 2, /"--namespace" or "--all-namespaces", not both/],
  ['get rs -o toml', 2, /not one of table, wide, json, yaml, name/],
  ['delete rs', 2, /it needs a NAME/],
  ['delete rs none @rome', 1, /there is none of that name/],
  ['delete rs pending none @rome', 1, /"none"/],
  ['delete rs pending -A -n liqo', 2, /not both/],
  ['delete vn taken -A -n liqo', 2, /not both/],
  ['cordon rs none --remote-cluster-id milan --skip-confirm @rome', 1, /"none"/],
  ['uncordon rs none --remote-cluster-id milan @rome', 1, /"none"/],
  // Offers.
  ['advertisement', 2, /it needs one more word/],
  ['advertisement list extra', 2, /it takes no "extra"/],
  ['advertisement list @nobody', 1, /forbidden/],
  ['advertisement describe', 2, /it needs a/],
  ['advertisement describe none @rome', 1, /no provider has made such an offer/],
  ['advertisement accept none @rome', 1, /no provider has made such an offer/],
  ['advertisement refuse none -y @rome', 1, /no provider has made such an offer/],
  ['adv accpt milan', 2, /did you mean "accept"\?/],
  ['offer', 2, /it needs one more word/],
  ['offer enable --percentage 101', 2, /is not a number from 0 to 100/],
  ['offer enable --percentage half', 2, /is not a number from 0 to 100/],
  ['offer enable @nobody', 1, /forbidden/],
  ['offer disable extra', 2, /it takes no "extra"/],
  ['offer disable --timeout x', 2, /cannot parse duration "x"/],
  ['offer status @nowhere', 1, /cannot reach/],
  ['info --get nope @rome', 1, /there is no such field.*\n.*liqoctl info -o yaml/],
];

const caLine = /certificate-authority-data: .*/;

function kubeconfigAt(server: string): Kubeconfig {
  return forgeKubeconfig({ name: 'x', server, user: { token: 'x' } });
}

describe('liqoctl, called wrongly', () => {
  let world: World;
  let bare: Minicluster;
  const kubeconfigs = new Map<string, string>();

  beforeAll(async () => {
    [world, bare] = await Promise.all([
      startWorld(),
      startMinicluster({ name: 'bare', clock: systemClock, random: systemRandom }),
    ]);
    await prepareRome();
    await prepareKubeconfigs();
  }, 120_000);

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await bare[Symbol.asyncDispose]();
  });

  async function prepareRome(): Promise<void> {
    const { client } = world.rome;
    const args = ['create', 'vn', 'taken', '--remote-cluster-id', 'milan'];
    await world.liqoctl(...args, '--kubeconfig-secret-name', 'way-to-milan');
    for (const name of ['shop', 'over']) await client.create(Namespace, { metadata: { name } });
    await world.liqoctl('offload', 'namespace', 'over');
    await leaveForEver('leaving');
    await client.create(ResourceSlice, {
      metadata: { name: 'pending', namespace: tenant },
      spec: {},
    });
    const own = printKubeconfig(kubeconfigAt('https://milan'));
    const secrets = {
      empty: undefined,
      broken: 'clusters: 3',
      thief: own.replace('token: x', 'tokenFile: /etc/passwd'),
    };
    for (const [name, text] of Object.entries(secrets)) {
      const data = text === undefined ? {} : { kubeconfig: Buffer.from(text).toString('base64') };
      await client.create(Secret, { metadata: { name, namespace: tenant }, data });
    }
  }

  /** A namespace that is being taken back, and somebody holds it. */
  async function leaveForEver(namespace: string): Promise<void> {
    const { client } = world.rome;
    const key = { namespace, name: 'offloading' };
    await client.create(Namespace, { metadata: { name: namespace } });
    await client.create(NamespaceOffloading, {
      metadata: { ...key, finalizers: ['example.com/somebody'] },
      spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Local' },
    });
    await client.delete(NamespaceOffloading, key);
  }

  async function prepareKubeconfigs(): Promise<void> {
    const { rome } = world;
    const texts = {
      rome: rome.kubeconfigText,
      bare: bare.kubeconfigText,
      nobody: rome.kubeconfigFor({ name: 'nobody', groups: [] }),
      stranger: rome.kubeconfigText
        .replace(/client-certificate-data: .*/, 'token: wrong')
        .replace(/client-key-data: .*/, ''),
      'foreign-ca': rome.kubeconfigText.replace(
        caLine,
        caLine.exec(bare.kubeconfigText)?.[0] ?? '',
      ),
      nowhere: printKubeconfig(kubeconfigAt('https://127.0.0.1:1')),
      broken: 'clusters: [',
      empty: 'apiVersion: v1\nkind: Config\n',
    };
    for (const [name, text] of Object.entries(texts)) {
      kubeconfigs.set(name, await world.file(`${name}.kubeconfig`, text));
    }
  }

  /** Everything that liqoctl could change, in the version it has. */
  async function stateOfRome() {
    const kinds = [
      Advertisement,
      ClusterConfig,
      ClusterRole,
      CustomResourceDefinition,
      Deployment,
      Namespace,
      NamespaceOffloading,
      ResourceSlice,
      Secret,
      VirtualNode,
    ] as const;
    const lists = await Promise.all(
      kinds.map((kind) => world.rome.client.list(kind as typeof Namespace)),
    );
    return lists.flatMap(({ items }) =>
      items.map(
        ({ kind, metadata }) =>
          `${kind} ${metadata.name} ${metadata.uid} ${metadata.generation} ${metadata.deletionTimestamp}`,
      ),
    );
  }

  test.each(wrong)('%s: %i', async (line, code, says) => {
    const words = line.split(' ');
    const kubeconfig = words.find((word) => word.startsWith('@'))?.slice(1) ?? '';
    const args = words.filter((word) => !word.startsWith('@'));
    const path = kubeconfigs.get(kubeconfig);
    const before = await stateOfRome();
    const outcome = await runHere(args, { env: path ? { KUBECONFIG: path } : {} });
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toMatch(/^✖ (Cannot|Nothing) .+[^.\n]\n {2}["A-Z].+[^.\n]\n$/);
    expect(outcome.stderr).not.toMatch(/\n\s+at |undefined|\[object|node:|Error:/);
    expect(outcome.stderr).toMatch(says);
    expect(await stateOfRome()).toEqual(before);
  });

  test.each([
    ['delete vn taken', 'The pods on "taken" will be evicted. Go on? [y/N] '],
    ['delete vn taken -A', 'The pods on "taken" will be evicted.'],
    ['delete rs pending', 'The resources of "pending" will be given back'],
    ['unoffload namespace over', 'over'],
    ['uninstall --force', 'Liqo and all that is in use will be removed.'],
  ])('%s asks, and changes nothing when the answer is no', async (line, question) => {
    const questions: string[] = [];
    const ask = async (text: string) => {
      questions.push(text);
      return 'n';
    };
    const before = await stateOfRome();
    const env = { KUBECONFIG: world.rome.kubeconfig };
    const { code, stderr } = await runHere(line.split(' '), { env, ask });
    expect({ code, questions }).toEqual({
      code: 1,
      questions: [expect.stringContaining(question)],
    });
    expect(stderr).toMatch(/✖ Nothing was changed: you did not say yes\n {2}Run it again/);
    expect(await stateOfRome()).toEqual(before);
  });
});
