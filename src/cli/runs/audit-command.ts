import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import {
  formatOption,
  jsonOption,
  storeFolder,
  storeOption,
} from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { keptRuns } from '../../cli-kit/kept-runs.js';
import { plural } from '../../cli-kit/show/progress.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { type AuditMark, AuditMarkSchema } from '../../ports/audit-chain.js';
import type { AuditVerification } from '../../stores/file/index.js';
import { oneLine, terminalSafeJson } from '../../terminal/sanitise.js';

const help = `
Every answer and override is recorded in audit.jsonl of the store, each record with the hash of the one before. \`verify\`
finds records that were changed, dropped, added or moved, and a log that was cut short after a run kept its mark.
Keep the last mark that it prints elsewhere, and give it to --expect later.

Exit codes: 0 intact, 1 not intact or not readable, 2 wrong use.

Examples:
  reviewloop audit verify
  reviewloop audit verify --json
  reviewloop audit verify --expect 12:9f86d081...`;

interface VerifyOptions {
  readonly format: 'text' | 'json';
  readonly expect?: string;
  readonly store: string;
}

/** `reviewloop audit`: looks after the log of what people decided. */
export function auditCommand(io: Io, done: (code: number) => void): Command {
  const verify = new Command('verify')
    .summary('check that the log is what was written')
    .description('Checks that the log of answers and overrides is exactly what was written.')

    .option('--expect <mark>', 'a record that must be there, as SEQ:HASH')
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(storeOption())
    .addHelpText('after', help)
    .action(async (options: VerifyOptions) => done(await act(io, options)));
  return new Command('audit')
    .summary('check the log of what people decided')
    .description('Looks after the log of what people decided.')
    .addCommand(verify);
}

async function act(io: Io, { format, expect, store }: VerifyOptions): Promise<number> {
  const kept = keptRuns(resolve(io.cwd, storeFolder(store)));
  const found = await kept.verifyAudit({
    ...(expect !== undefined && { expect: [markOf(expect)] }),
  });
  const shown = relative(io.cwd, kept.auditPlace);
  await io.out(
    format === 'json'
      ? `${terminalSafeJson({ schemaVersion: 1, ...found, head: found.head ?? null })}\n`
      : `${linesOf(found, shown).join('\n')}\n`,
  );
  return found.intact ? 0 : 1;
}

function markOf(text: string): AuditMark {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  const mark = AuditMarkSchema.safeParse({ seq: Number(seq), hash });
  if (!mark.success)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `--expect takes SEQ:HASH as \`audit verify\` prints it, got ${JSON.stringify(text)}`,
      { value: text },
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
    ...(torn ? ['the last line was never finished, and does not count'] : []),
    intact
      ? `INTACT: ${count} in ${place}`
      : `NOT INTACT: ${plural(problems.length, 'problem')} in ${count} of ${place}`,
    ...(head === undefined ? [] : [`last: ${head.seq}:${head.hash}`]),
  ];
}
