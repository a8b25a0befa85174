import { describe, expect, test } from 'vitest';
import { parseVirtualNodes } from './parse-virtual-nodes.ts';

const flags = {
  nodename: 'mynode',
  'tenant-namespace': 'liqo-tenant-milan',
  'foreign-cluster-id': 'milan',
  'foreign-kubeconfig-secret-name': 'kubeconfig-mynode',
  'listen-port': '10250',
};

describe('parseVirtualNodes()', () => {
  test('gives the one virtual node of a process', () => {
    expect(parseVirtualNodes(flags)).toEqual([
      {
        name: 'mynode',
        namespace: 'liqo-tenant-milan',
        providerClusterID: 'milan',
        kubeconfigSecretName: 'kubeconfig-mynode',
        port: 10250,
      },
    ]);
  });

  test('gives several, with what each has of its own and what they share', () => {
    const several = parseVirtualNodes({
      ...flags,
      nodename: 'one, two,three',
      'foreign-cluster-id': 'milan,turin,turin',
    });
    expect(several).toMatchObject([
      { name: 'one', providerClusterID: 'milan', port: 10250 },
      { name: 'two', providerClusterID: 'turin', port: 10251 },
      { name: 'three', providerClusterID: 'turin', port: 10252 },
    ]);
    expect(new Set(several.map(({ namespace }) => namespace))).toEqual(
      new Set(['liqo-tenant-milan']),
    );
  });

  test('gives each the port that is named for it, or any that is free', () => {
    const portsOf = (ports: string) =>
      parseVirtualNodes({ ...flags, nodename: 'one,two', 'listen-port': ports }).map(
        ({ port }) => port,
      );
    expect(portsOf('10300,10400')).toEqual([10300, 10400]);
    expect(portsOf('0')).toEqual([0, 0]);
  });

  test.each([
    [{ nodename: 'one,one' }, '"--nodename" names "one" twice'],
    [{ nodename: 'one,,two' }, '"--nodename" has an empty value'],
    [{ nodename: 'a,b,c', 'tenant-namespace': 'x,y' }, 'has 2 values and "--nodename" has 3'],
    [{ nodename: 'a,b', 'listen-port': '1,1' }, '"--listen-port" names "1" twice'],
    [{ 'listen-port': 'ten' }, '"--listen-port=ten" is not a port'],
    [{ 'listen-port': '70000' }, '"--listen-port=70000" is not a port'],
    [{ nodename: 'a,b', 'listen-port': '65535' }, 'leaves no port for the last virtual node'],
  ])('refuses %j', (change, problem) => {
    expect(() => parseVirtualNodes({ ...flags, ...change })).toThrow(problem);
  });
});
