import { relative } from 'node:path';
import type { AuditVerification } from '../../../adapters/stores/file/index.js';
import { plural } from '../../../core/plural.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { type AuditMark, AuditMarkSchema } from '../../../ports/audit-chain.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { tell } from '../../cli-kit/io.js';

export async function verifyLog(
  { io, store }: StoredCall,
  { format, expect }: { readonly format: string; readonly expect: string | undefined },
): Promise<number> {
  const { folder, verifyAudit, auditPlace } = store;
  const found = await verifyAudit({
    ...(expect !== undefined && { expect: [markOf(expect)] }),
  });
  const shown = folder === undefined ? auditPlace : relative(io.cwd, auditPlace);
  const data = { ...found, head: found.head ?? null };
  await tell(io, format, { data, lines: linesOf(found, shown) });
  return found.intact ? 0 : 1;
}

function markOf(text: string): AuditMark {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  const mark = AuditMarkSchema.safeParse({ seq: Number(seq), hash });
  if (!mark.success)
    throw usageError(
      `--expect expects SEQ:HASH as \`audit verify\` prints it, got ${JSON.stringify(text)}`,
      text,
    );
  return mark.data;
}

function linesOf(
  { intact, records, head, torn, problems }: AuditVerification,
  place: string,
): string[] {
  const count = plural(records, 'record');
  return [
    ...problems.map(({ line, problem, what }) =>
      oneLine(`${line === 0 ? 'log' : `line ${line}`}: ${problem}: ${what}`),
    ),
    ...(torn ? ['the last line is incomplete and does not count'] : []),
    intact
      ? `INTACT: ${count} in ${place}`
      : `NOT INTACT: ${plural(problems.length, 'problem')} in ${count} of ${place}`,
    ...(head === undefined ? [] : [`last: ${head.seq}:${head.hash}`]),
  ];
}
