import { lastSlotSuite } from '../testing/last-slot-suite.ts';
import { startQuotaWorld } from '../testing/quota-world.ts';

/** `QUOTA_ROUNDS=1000 npx vitest run packages/controllers/src/quotas/last-slot.cluster.test.ts` for the whole proof. */
const rounds = Number(process.env.QUOTA_ROUNDS ?? 2);

const lease = { leaseDurationMs: 1_500, renewDeadlineMs: 1_000 };

lastSlotSuite(startQuotaWorld, { rounds, lease });
