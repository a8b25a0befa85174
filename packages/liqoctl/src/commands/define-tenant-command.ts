import { Tenant } from '@liqo/api';
import { type Client, checkDnsSubdomain, keyOf, mergePatch, type Stored } from '@liqo/kube';
import { findTenant } from '../cluster/find-tenant.ts';
import type { Look } from '../cluster/wait-until.ts';
import { type Command, defineCommand, type Invocation } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, skipConfirmFlag, timeoutFlag } from '../flags/shared-flags.ts';
import { kubectlDescribe } from '../peering/kubectl.ts';
import { stepContext } from '../peering/open-side.ts';
import {
  type PeeringSide,
  type StepContext,
  waitForControllers,
  workStep,
} from '../peering/peering-side.ts';
import { UserError } from '../user-error.ts';

type Condition = Tenant['spec']['tenantCondition'];

/** How a state of a Tenant is asked for, and when it has come about. */
interface TenantCommand {
  readonly verb: 'cordon' | 'uncordon' | 'drain' | 'activate';
  readonly to: Condition;
  /** What the Tenant may be before. */
  readonly from: readonly Condition[];
  readonly summary: string;
  readonly description: string;
  /** What the consumer loses; without it nothing is asked. */
  readonly warning?: (consumer: string) => string;
  /** After "Tenant "rome"". */
  readonly done: string;
  readonly effect: {
    readonly waitingFor: (consumer: string) => string;
    readonly done: (consumer: string) => string;
    readonly look: (
      side: Pick<PeeringSide, 'client'>,
      tenant: Stored<Tenant>,
      signal: AbortSignal,
    ) => Promise<Look<true>>;
  };
}

const flags = {
  ...timeoutFlag('2m', 'how long it waits until that has come about'),
  ...skipConfirmFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

type Call = Invocation<typeof flags>;

/** `cordon tenant` and its kin: run at the provider, safe to repeat. */
export function defineTenantCommand(definition: TenantCommand): Command {
  const { verb, summary, description } = definition;
  return defineCommand({
    path: [verb, 'tenant'],
    summary,
    description,
    examples: [`liqoctl ${verb} tenant rome`],
    operands: { placeholder: 'NAME', least: 1, most: 1, completes: 'tenants' },
    flags,
    check: ({ operands: [name = ''] }) =>
      checkDnsSubdomain(name).map((fault) => `the name "${name}" ${fault}`),
    run: (call) => run(call, definition),
  });
}

async function run(call: Call, definition: TenantCommand): Promise<void> {
  const { flags: said, operands, suggest } = call;
  const [name = ''] = operands;
  const { verb, to, warning, effect } = definition;
  const doing = `${verb} the Tenant "${name}"`;
  const { client } = await call.connect();
  const tenant = await findTenant(call, client, { name, doing });
  refuseState(call, definition, tenant);
  if (warning && tenant.spec.tenantCondition !== to && !said['skip-confirm']) {
    await confirm(call, { doing, warning: warning(name) });
  }
  const hint = `It goes on without liqoctl; end it with ${suggest(`${verb === 'activate' ? 'drain' : 'activate'} tenant ${name}`)}`;
  const context = stepContext(call, { timeoutMs: said.timeout, hint });
  await setCondition(context, definition, { client, tenant });
  await waitForControllers(
    context,
    { client },
    {
      doing: `Waiting ${effect.waitingFor(name)}`,
      done: effect.done(name),
      look: (signal) => effect.look({ client }, tenant, signal),
      hint: `See what holds it up: ${kubectlDescribe(Tenant, keyOf(tenant))}`,
    },
  );
}

function refuseState({ suggest }: Call, { verb, from, to }: TenantCommand, tenant: Tenant): void {
  const { tenantCondition } = tenant.spec;
  if (tenantCondition === to || from.includes(tenantCondition)) return;
  const name = tenant.metadata?.name ?? '';
  const state = tenantCondition.toLowerCase();
  throw new UserError(`Cannot ${verb} the Tenant "${name}": it is ${state}`, {
    hint: `Activate it first: ${suggest(`activate tenant ${name}`)}`,
  });
}

async function setCondition(
  context: StepContext,
  { verb, to, done }: TenantCommand,
  { client, tenant }: { readonly client: Client; readonly tenant: Stored<Tenant> },
): Promise<void> {
  const { progress, signal } = context;
  const { uid, name } = tenant.metadata;
  if (tenant.spec.tenantCondition === to) return progress.note(`Tenant "${name}" ${done} already`);
  const step = {
    verb: `${verb} the Tenant "${name}"`,
    doing: `Marking the Tenant "${name}"`,
    done: `Tenant "${name}" ${done}`,
    trace: { begun: `Tenant "${name}" may be ${to}`, done: `Tenant "${name}" is ${to}` },
  };
  const patch = mergePatch({ metadata: { uid }, spec: { tenantCondition: to } });
  await workStep(context, {}, step, async () => {
    await client.patch(Tenant, keyOf(tenant), patch, signal);
  });
}
