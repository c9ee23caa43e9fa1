import type { Version } from '../core/version.js';
import type { RunResult } from './run-result.js';

export function notReviewed<Output>(version: Version<Output>): RunResult<Output> {
  const reason = 'review is switched off';
  return {
    status: 'accepted',
    code: 'not_reviewed',
    reason,
    version,
    acceptance: { kind: 'not_reviewed', by: 'configuration', reason },
  };
}
