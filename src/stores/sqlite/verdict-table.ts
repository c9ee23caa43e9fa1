import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { tokensOf } from '../../core/usage.js';
import type { StoredVerdict, VerdictStore } from '../../ports/verdict-store.js';
import { decodeEntry, encodeEntry } from '../file/verdict-entry.js';
import type { Database } from './database.js';
import { plainText } from './driver.js';

/** The verdicts in a database. */
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
        throw unavailable(error, `the verdicts in ${database.name} cannot be read`);
      }
    },
    put: async (key, verdict) => {
      const row = rowOf(key, verdict);
      try {
        await database.write((tables) =>
          tables.run(
            'INSERT OR REPLACE INTO verdicts (key, reviewer, version, passed, assessments, total_tokens, cost_usd, at, head, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
            ...row,
          ),
        );
      } catch (error) {
        throw unavailable(error, `the verdicts in ${database.name} cannot be written`);
      }
    },
  };
}

function rowOf(key: string, verdict: StoredVerdict): (string | number | null)[] {
  const { about, assessments, usage, at } = verdict;
  const [head = '', body = ''] = encodeEntry(key, verdict).toString('utf8').split('\n');
  const passed = assessments.filter((assessment) => assessment.verdict === 'pass').length;
  return [
    plainText(key),
    plainText(about.reviewer),
    plainText(about.version),
    passed,
    assessments.length,
    tokensOf(usage) ?? null,
    usage.costUsd ?? null,
    at,
    head,
    body,
  ];
}

function unavailable(error: unknown, what: string): unknown {
  if (isReviewError(error) && error.code.startsWith('verdict_')) return error;
  return new ReviewLoopError('verdict_unavailable', `${what}: ${messageOf(error)}`, {
    cause: error,
  });
}
