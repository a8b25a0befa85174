import { describe, expect, test } from 'vitest';
import { composeScene } from './scene.ts';
import { whatToTry } from './what-to-try.ts';

const kubeconfigOf = (cluster: string) => `/k/${cluster}.kubeconfig`;

function tell(clusters: readonly string[], columns = Number.POSITIVE_INFINITY): readonly string[] {
  return whatToTry(composeScene(clusters), { kubeconfigOf, columns });
}

function tellByHand(clusters: readonly string[]): readonly string[] {
  const columns = Number.POSITIVE_INFINITY;
  return whatToTry(composeScene(clusters, { byHand: true }), { kubeconfigOf, columns });
}

const withoutComments = (lines: readonly string[]) =>
  lines.map((line) => line.trim().replace(/ +#.*$/, ''));

describe('whatToTry()', () => {
  test('says how to be either cluster', () => {
    expect(tell(['rome', 'milan']).filter((line) => line.includes('export'))).toEqual([
      '  export KUBECONFIG=/k/rome.kubeconfig',
      '  export KUBECONFIG=/k/milan.kubeconfig',
    ]);
  });

  test('names the things that are there', () => {
    const commands = withoutComments(tell(['rome', 'milan']));
    expect(commands).toContain('kubectl describe node mypool mynode');
    expect(commands).toContain('npx liqoctl get resourceslices');
    expect(commands).toContain('kubectl logs -n shop deployment/web -f');
    expect(commands).toContain('kubectl delete virtualnode -n liqo-tenant-milan mynode');
    expect(commands).toContain('kubectl get pods,shadowpods -n shop-rome');
  });

  test('says how to get back the node that its last hint deletes', () => {
    const deletion = /delete virtualnode \S+ liqo-tenant-milan mynode\n/.source;
    const creation = /npx liqoctl create virtualnode mynode --remote-cluster-id milan \\\n/.source;
    const isFollowed = (by: string) => new RegExp(`${deletion}${creation}${by}\n`);
    expect(withoutComments(tell(['rome', 'milan'])).join('\n')).toMatch(
      isFollowed('--resource-slice-name mypool'),
    );
    expect(withoutComments(tellByHand(['rome', 'milan'])).join('\n')).toMatch(
      isFollowed('--kubeconfig-secret-name kubeconfig-resourceslice-mypool'),
    );
  });

  test('names every provider and every virtual node', () => {
    const lines = tell(['rome', 'milan', 'turin']);
    expect(lines.join('\n')).toContain('# mypool and mynode are milan, mypool-turin is turin\n');
    expect(withoutComments(lines)).toContain('kubectl describe node mypool mynode mypool-turin');
    expect(lines.filter((line) => line.startsWith('As '))).toEqual([
      'As rome, which borrows, in another terminal:',
      'As milan, which lends:',
      'As turin, which lends:',
    ]);
    expect(lines).toContain('  export KUBECONFIG=/k/turin.kubeconfig');
  });

  test('tells of no slices in a playground without peering', () => {
    const lines = tellByHand(['rome', 'milan', 'turin']).join('\n');
    expect(lines).toContain('# mynode is milan, mynode-turin is turin\n');
    expect(lines).not.toMatch(/resourceslices|quotas/);
  });

  test('says how to peer clusters that are not peered', () => {
    const columns = Number.POSITIVE_INFINITY;
    const scene = composeScene(['rome', 'milan'], { unpeered: true });
    expect(withoutComments(whatToTry(scene, { kubeconfigOf, columns }))).toEqual([
      'As rome, which is to borrow, in another terminal:',
      'export KUBECONFIG=/k/rome.kubeconfig',
      'npx liqoctl peer --remote-kubeconfig /k/milan.kubeconfig',
      'npx liqoctl info',
    ]);
  });

  test('says how to decide on offers, and how to make them', () => {
    const columns = Number.POSITIVE_INFINITY;
    const scene = composeScene(['rome', 'milan', 'turin', 'naples'], { offers: true });
    const lines = withoutComments(whatToTry(scene, { kubeconfigOf, columns }));
    expect(lines).toEqual(
      expect.arrayContaining([
        'As rome, which decides, in another terminal:',
        'npx liqoctl advertisement list',
        'npx liqoctl advertisement refuse turin --skip-confirm',
        'As naples, which offers:',
        'npx liqoctl offer disable',
      ]),
    );
    expect(lines.join('\n')).not.toMatch(/mynode|resourceslice/);
  });

  test('keeps every comment and heading within a narrow terminal, and every command whole', () => {
    const wide = tell(['rome', 'milan', 'turin']);
    const narrow = tell(['rome', 'milan', 'turin'], 30);
    const isCommand = (line: string) => /^ {2,}[^# ]/.test(line);
    expect(narrow.filter((line) => !isCommand(line) && line.length > 30)).toEqual([]);
    const commands = (lines: readonly string[]) => withoutComments(lines.filter(isCommand));
    expect(commands(narrow)).toEqual(commands(wide));
    const at = narrow.indexOf('  kubectl describe node mypool mynode mypool-turin');
    expect(narrow[at - 1]).toBe('  # capacity and conditions');
  });
});
