import { describe, expect, test } from 'vitest';
import { composeScene } from './scene.ts';
import { whatToTry } from './what-to-try.ts';

function tell(clusters: readonly string[], columns = Number.POSITIVE_INFINITY): readonly string[] {
  const kubeconfigOf = (cluster: string) => `/k/${cluster}.kubeconfig`;
  return whatToTry(composeScene(clusters), { kubeconfigOf, columns });
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
    expect(commands).toContain('kubectl describe node mynode');
    expect(commands).toContain('kubectl logs -n shop deployment/web -f');
    expect(commands).toContain('kubectl delete virtualnode -n liqo-tenant-milan mynode');
    expect(commands).toContain('kubectl get pods,shadowpods -n shop-rome');
  });

  test('says how to get back the node that its last hint deletes', () => {
    const commands = withoutComments(tell(['rome', 'milan'])).join('\n');
    expect(commands).toMatch(
      /delete virtualnode \S+ liqo-tenant-milan mynode\nnpx liqoctl create virtualnode mynode --remote-cluster-id milan \\\n--kubeconfig-secret-name kubeconfig-resourceslice-mypool\n/,
    );
  });

  test('names every provider and every virtual node', () => {
    const lines = tell(['rome', 'milan', 'turin']);
    expect(lines.join('\n')).toContain(
      '# milan is the node mynode and turin is the node mynode-turin\n',
    );
    expect(withoutComments(lines)).toContain('kubectl describe node mynode mynode-turin');
    expect(lines.filter((line) => line.startsWith('As '))).toEqual([
      'As rome, which borrows, in another terminal:',
      'As milan, which lends:',
      'As turin, which lends:',
    ]);
    expect(lines).toContain('  export KUBECONFIG=/k/turin.kubeconfig');
  });

  test('keeps every comment and heading within a narrow terminal, and every command whole', () => {
    const wide = tell(['rome', 'milan', 'turin']);
    const narrow = tell(['rome', 'milan', 'turin'], 30);
    const isCommand = (line: string) => /^ {2,}[^# ]/.test(line);
    expect(narrow.filter((line) => !isCommand(line) && line.length > 30)).toEqual([]);
    const commands = (lines: readonly string[]) => withoutComments(lines.filter(isCommand));
    expect(commands(narrow)).toEqual(commands(wide));
    const at = narrow.indexOf('  kubectl describe node mynode mynode-turin');
    expect(narrow[at - 1]).toBe('  # capacity and conditions');
  });
});
