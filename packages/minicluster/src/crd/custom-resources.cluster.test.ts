import { Client, type Clock } from '@liqo/kube';
import { seededRandom } from '@liqo/testkit';
import { describe } from 'vitest';
import { customResources } from '../../../testkit/src/conformance/custom-resources.ts';
import { AdmissionChain } from '../admission/admission.ts';
import type { User } from '../auth/user.ts';
import { inProcessAccess } from '../in-process-access.ts';
import { builtInResources } from '../resources/built-in.ts';
import { ApiServer } from '../rest/api-server.ts';
import { Registry } from '../rest/registry.ts';
import { Store } from '../store/store.ts';
import { CustomResources } from './custom-resources.ts';
import { withDefinitionRules } from './definition/definition-rules.ts';

const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** An API server with nothing around it that lets everybody do everything. */
function startServer(warnings: string[]): Client {
  const random = seededRandom(1);
  const [store, registry] = [new Store(), new Registry()];
  for (const resource of builtInResources({ clock, random })) {
    const isDefinition = resource.plural === 'customresourcedefinitions';
    registry.add(isDefinition ? withDefinitionRules(resource) : resource);
  }
  const { admission } = new CustomResources({ store, registry, clock });
  const parts = { store, registry, admission: new AdmissionChain([admission]), clock, random };
  const admin: User = { name: 'admin', groups: ['system:masters'], extra: {} };
  const gatekeeper = { authenticate: async () => admin, authorize: async () => {} };
  const transport = inProcessAccess(new ApiServer(parts, gatekeeper, []), admin);
  const onWarning = (warning: string) => warnings.push(warning);
  return new Client({ transport, clock, random, fieldManager: 'conformance', onWarning });
}

describe('CustomResources', () => {
  const warnings: string[] = [];
  const client = startServer(warnings);

  customResources(() => ({ client, warnings, forgetHistory: async () => {} }));
});
