import { expect, test } from 'vitest';
import { renderInfo } from './render-info.ts';

test('renderInfo() draws the sections of the recorded session', () => {
  const drawn = renderInfo({
    local: { clusterID: 'rome', version: '', labels: { region: 'eu' }, APIServerAddr: 'https://x' },
    health: { healthy: true },
    peerings: {
      peers: [
        {
          clusterID: 'milan',
          role: 'Provider',
          networkingStatus: 'Disabled',
          authenticationStatus: 'Healthy',
          offloadingStatus: 'Unhealthy',
          alerts: ['Offloading: mynode: no answer'],
        },
      ],
    },
  });
  expect(drawn.split('\n').map((line) => line.replace(/^\|\s{2}|\s*\|$/g, ''))).toEqual([
    expect.stringMatching(/^┌─ Local installation info ─+┐$/),
    'Cluster ID:     rome',
    'Version:        unknown',
    'K8s API server: https://x',
    'Cluster labels',
    '    region: eu',
    expect.stringMatching(/^└─+┘$/),
    expect.stringMatching(/^┌─ Installation health ─+┐$/),
    '✔    Liqo is healthy',
    expect.stringMatching(/^└─+┘$/),
    expect.stringMatching(/^┌─ Active peerings ─+┐$/),
    'milan',
    '    Role:                  Provider',
    '    Networking status:     Disabled',
    '    Authentication status: Healthy',
    '    Offloading status:     Unhealthy',
    '    Alert:                 Offloading: mynode: no answer',
    expect.stringMatching(/^└─+┘$/),
    '',
  ]);
});

test('renderInfo() names unhealthy pods, and leaves out what could not be had', () => {
  const pod = { status: 'Pending', readyContainers: 0, totalContainers: 1, restarts: 2 };
  const drawn = renderInfo({ health: { healthy: false, unhealthyPods: { a: pod } } });
  expect(drawn).toContain('✖    Liqo is not healthy');
  expect(drawn).toContain('a: Pending, 0/1 containers ready, 2 restarts');
  expect(drawn).not.toContain('Active peerings');
});

test('renderInfo() says that Liqo has no pods at all', () => {
  const drawn = renderInfo({ health: { healthy: false, unhealthyPods: {} } });
  expect(drawn).toContain('✖    Liqo is not healthy: its namespace has no pods');
  expect(drawn).not.toContain('Unhealthy pods');
});
