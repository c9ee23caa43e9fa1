import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { tokensOf } from '../../core/usage.js';
import { portErrors } from '../../ports/errors.js';
import type { StoredVerdict, VerdictStore } from '../../ports/verdict-store.js';
import { decodeEntry, encodeEntry } from '../file/verdict-entry.js';
import type { Database, SqliteRow } from './database.js';
import { plainText } from './driver.js';
import { replaceRow } from './insert-row.js';

/** Returns the store of verdicts in a database. */
export function verdictsIn(database: Database): VerdictStore {
  return {
    get: async (key) => {
      try {
        const [row] = await database.read((tables) =>
          tables.all('SELECT head, body FROM verdicts WHERE key = ?', plainText(key)),
        );
        if (row === undefined) return undefined;
        return decodeEntry(
          `${database.name}, verdict ${key}`,
          key,
          Buffer.from(`${row['head']}\n${row['body']}\n`),
        );
      } catch (error) {
        throw unavailable(error, `cannot read the verdicts in ${database.name}`);
      }
    },
    put: async (key, verdict) => {
      const row = rowOf(key, verdict);
      try {
        await database.write((tables) => replaceRow(tables, 'verdicts', row));
      } catch (error) {
        throw unavailable(error, `cannot write the verdicts in ${database.name}`);
      }
    },
  };
}

function rowOf(key: string, verdict: StoredVerdict): SqliteRow {
  const { about, assessments, usage, at } = verdict;
  const [head = '', body = ''] = encodeEntry(key, verdict).toString('utf8').split('\n');
  return {
    key: plainText(key),
    reviewer: plainText(about.reviewer),
    version: plainText(about.version),
    passed: assessments.filter((assessment) => assessment.verdict === 'pass').length,
    assessments: assessments.length,
    total_tokens: tokensOf(usage) ?? null,
    cost_usd: usage.costUsd ?? null,
    at,
    head,
    body,
  };
}

function unavailable(error: unknown, what: string): unknown {
  if (isReviewError(error) && error.code.startsWith('verdict_')) return error;
  return new ReviewLoopError(portErrors.verdict_unavailable, `${what}: ${messageOf(error)}`, {
    cause: error,
  });
}
