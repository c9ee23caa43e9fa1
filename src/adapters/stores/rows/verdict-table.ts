import { checkTable } from '../../../core/options.js';
import { tokensOf } from '../../../core/usage.js';
import type { StoredVerdict, VerdictStore } from '../../../ports/verdict-store.js';
import { decodeEntry, encodeEntry, unavailable } from '../file/file-verdicts.js';
import { type PruneVerdictsOptions, pruneVerdictsTable } from '../store-options.js';
import { optional, replacing, required, table } from './columns.js';
import { noLimit, plainText, putRow, type TableDatabase } from './table-database.js';

interface Entry {
  readonly key: string;
  readonly verdict: StoredVerdict;
  /** The two lines of its file. */
  readonly lines: readonly string[];
}

export const verdictRows = table<Entry>('verdicts', 'key', {
  key: required.text(({ key }) => key),
  reviewer: required.text(({ verdict }) => verdict.about.reviewer),
  version: required.text(({ verdict }) => verdict.about.version),
  passed: required.whole(
    ({ verdict }) => verdict.assessments.filter((one) => one.verdict === 'pass').length,
  ),
  assessments: required.whole(({ verdict }) => verdict.assessments.length),
  total_tokens: optional.figure(({ verdict }) => tokensOf(verdict.usage)),
  cost_usd: optional.real(({ verdict }) => verdict.usage.costUsd),
  at: required.figure(({ verdict }) => verdict.at),
  head: required.exact(({ lines: [head = ''] }) => head),
  body: required.exact(({ lines: [, body = ''] }) => body),
});

const replaces = replacing(verdictRows);

export function verdictsIn(database: TableDatabase): VerdictStore {
  const { name, schema } = database;
  return {
    get: async (key) => {
      try {
        const [row] = await database.ask(
          `SELECT head, body FROM ${schema}.verdicts WHERE key = $1`,
          [plainText(key)],
        );
        if (row === undefined) return undefined;
        const bytes = Buffer.from(`${String(row['head'])}\n${String(row['body'])}\n`);
        return decodeEntry(`${name}, verdict ${key}`, key, bytes);
      } catch (error) {
        throw unavailable(error, `cannot read the verdicts in ${name}`);
      }
    },
    put: async (key, verdict) => {
      const lines = encodeEntry(key, verdict).toString('utf8').split('\n');
      try {
        await putRow(database, 'verdicts', verdictRows.row({ key, verdict, lines }), replaces);
      } catch (error) {
        throw unavailable(error, `cannot write the verdicts in ${name}`);
      }
    },
  };
}

/** Removes those that are too old, and the oldest beyond `max`; returns their number. */
export async function pruneVerdictRows(
  database: TableDatabase,
  options: PruneVerdictsOptions,
): Promise<number> {
  checkTable('pruneVerdicts', pruneVerdictsTable, options);
  const { olderThanMs, max = noLimit, clock = database.clock } = options;
  const table = `${database.schema}.verdicts`;
  return database.change(
    `DELETE FROM ${table} WHERE at < $1::float8
       OR key NOT IN (SELECT key FROM ${table} ORDER BY at DESC, key LIMIT $2::int)`,
    [clock.now() - olderThanMs, max],
  );
}
