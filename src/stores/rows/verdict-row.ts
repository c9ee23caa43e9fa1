import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { tokensOf } from '../../core/usage.js';
import { portErrors } from '../../ports/errors.js';
import type { StoredVerdict } from '../../ports/verdict-store.js';
import { encodeEntry } from '../file/verdict-entry.js';
import { plainText } from '../plain-text.js';

/** A row of the table of verdicts, by the names of its columns. */
export interface VerdictRow {
  readonly key: string;
  readonly reviewer: string;
  readonly version: string;
  readonly passed: number;
  readonly assessments: number;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
  readonly at: number;
  readonly head: string;
  readonly body: string;
}

export function verdictRow(key: string, verdict: StoredVerdict): VerdictRow {
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

/** Returns the error for verdicts that cannot be read or written; those of a row stay. */
export function verdictsUnavailable(error: unknown, what: string): unknown {
  if (isReviewError(error) && error.code.startsWith('verdict_')) return error;
  return new ReviewLoopError(portErrors.verdict_unavailable, `${what}: ${messageOf(error)}`, {
    cause: error,
  });
}
