import { readFences } from '@/blocks/models/prompt/fence.js';
import { command } from '@/blocks/reviewers/command/command.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { TaskReview } from '@/products/task-review/task-review.js';
import type { TaskReviewOptions } from '@/products/task-review/task-review-options.js';
import { type ScriptedProvider, scriptedProvider } from '@/testing/index.js';
import {
  copiedRepository,
  newRepository,
  type Repository,
} from '../../../support/git-repository.js';

export const task = {
  id: 'TASK-003',
  name: 'Add API endpoints',
  checklist: [
    { text: 'handles errors', done: false },
    { text: 'has a route', done: true },
  ],
};

/** A repository with real test and lint commands that read the code. */
export function project(): Repository {
  return copiedRepository(['project'], makeProject);
}

function makeProject(): Repository {
  const repository = newRepository();
  repository.write('api.js', 'exports.value = 0;\n');
  repository.write(
    'check.js',
    "const { value } = require('./api.js'); console.log('noise '.repeat(2000)); console.log('value is', value); if (value < 1) { console.log('0 passed, 1 failed'); process.exit(1); } console.log('15 passed, 0 failed');\n",
  );
  repository.write(
    'lint.js',
    "const fs = require('fs'); const text = fs.readFileSync('api.js', 'utf8'); if (text.includes('var ')) { console.error('api.js:1:1 error no var'); process.exit(1); } if (text.includes('let ')) fs.writeFileSync('api.js', text.replaceAll('let ', 'const '));\n",
  );
  repository.commit('first');
  return repository;
}

/** Tests and linter of a {@link project}, as real processes. */
export function checks(cwd: string): Pick<TaskReviewOptions, 'tests' | 'lint'> {
  return {
    tests: command({ id: 'tests', run: [process.execPath, 'check.js'], cwd, parse: 'none' }),
    lint: command({ id: 'lint', run: [process.execPath, 'lint.js'], cwd }),
  };
}

export type Answer = {
  readonly verdict: 'passed' | 'failed' | 'fixed';
  readonly reason?: string;
  readonly issues?: readonly Record<string, unknown>[];
};

/** A reviewer that reads the fenced diff of its prompt. */
export function reader(judge: (diff: string, call: number) => Answer | Error): ScriptedProvider {
  return scriptedProvider((request, call) => {
    const diff =
      readFences(request.messages[0]?.content ?? '').find(({ label }) => label === 'diff')?.text ??
      '';
    const answer = judge(diff, call);
    return answer instanceof Error ? answer : JSON.stringify({ reason: '', issues: [], ...answer });
  });
}

export const passes = (): ScriptedProvider =>
  reader((diff) =>
    diff.includes('+')
      ? { verdict: 'passed', reason: 'fine' }
      : { verdict: 'failed', reason: 'no diff' },
  );

export const major = {
  severity: 'major',
  text: 'No error handling in API call',
  file: 'api.js',
  line: 1,
};
export const minor = { severity: 'minor', text: 'Unused import', file: 'utils.js', line: 1 };

/** A review of a project whose task writes these contents, attempt by attempt. */
export function reviewOf(
  repository: Repository,
  contents: readonly string[],
  options: Partial<TaskReviewOptions> = {},
): { review: TaskReview; told: (string | undefined)[] } {
  const told: (string | undefined)[] = [];
  const review = new TaskReview({
    diff: gitDiff({ cwd: repository.cwd }),
    ...checks(repository.cwd),
    execute: async (_, { attempt, previousError }) => {
      told.push(previousError);
      repository.write('api.js', contents[attempt - 1] ?? contents.at(-1) ?? '');
    },
    provider: passes(),
    ...options,
  });
  return { review, told };
}
