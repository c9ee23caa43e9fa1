import { it } from 'vitest';
import type { AuditVerification, VerifyAuditOptions } from '@/adapters/stores/file/index.js';
import type { AuditRecord } from '@/ports/audit-chain.js';
import { storeContract } from '@/testing/index.js';

/** What the checks of a contract find wrong, in their order. */
export async function faultsOf(
  checks: readonly { readonly run: () => void | Promise<void> }[],
): Promise<readonly string[]> {
  const results = await Promise.allSettled(checks.map(async ({ run }) => run()));
  return results.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
}

/** The options of the one contract of stores. */
export type Kept = Parameters<typeof storeContract>[0];

export function keeps(options: Kept): void {
  for (const { name, run } of storeContract(options)) it(name, run);
}

type VerifyAudit = (options: VerifyAuditOptions) => Promise<AuditVerification>;

export async function recordsOf(verify: VerifyAudit): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  await verify({ onRecord: (record) => void records.push(record) });
  return records;
}
