import type { PathHandler } from '../rest/api-server.ts';

/** The server whose behaviour this one has. */
const version = {
  major: '1',
  minor: '35',
  emulationMajor: '1',
  emulationMinor: '35',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '34',
  gitVersion: 'v1.35.4',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};

export const versionHandler: PathHandler = ({ info }) => {
  const isVersion = info.path === '/version' || info.path === '/version/';
  return isVersion ? Promise.resolve({ status: 200, body: version }) : undefined;
};
