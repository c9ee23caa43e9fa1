/**
 * A task in a git repository: tests, a review, a person who sends it back, a second attempt, the
 * commit; then a query in SQL. This reviewer is scripted; `cliProvider({ command: 'claude' })` asks
 * Claude Code.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HumanGate } from 'reviewloop/inbox';
import { command, gitDiff } from 'reviewloop/node';
import { sqliteStore } from 'reviewloop/stores/sqlite';
import { type ReviewTask, TaskReview, taskStatusLine } from 'reviewloop/task-review';
import { scriptedProvider } from 'reviewloop/testing';

const task: ReviewTask = {
  id: 'TASK-003',
  name: 'Add a price',
  checklist: [{ text: 'rejects what is not a number', done: false }],
};

const provider = scriptedProvider(({ messages }) => {
  const careful = messages[0]?.content.includes('Number.isFinite') === true;
  const issue = {
    severity: 'major',
    text: 'Nothing rejects what is not a number',
    file: 'price.mjs',
    line: 1,
  };
  return JSON.stringify(
    careful
      ? { verdict: 'passed', reason: 'everything is there', issues: [] }
      : { verdict: 'failed', reason: 'one issue', issues: [issue] },
  );
});

/** A person who sends back what the reviewer failed. `terminalPerson()` asks a real one. */
const person: HumanGate = {
  ask: async (_, texts = {}) => {
    console.log(`${texts.title}\n${texts.assessment}`);
    const bad = texts.assessment?.includes('REVIEW_FAILED') === true;
    return bad
      ? { kind: 'revise', by: 'ann', note: texts.note ?? 'see the review' }
      : { kind: 'approve', by: 'ann' };
  },
};

const cwd = await mkdtemp(join(tmpdir(), 'task-review-'));
const outside = await mkdtemp(join(tmpdir(), 'task-review-db-'));
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', ...args], {
    cwd,
    encoding: 'utf8',
  });
const store = sqliteStore(join(outside, 'runs.db'));
try {
  git('init', '-q');
  await writeFile(
    join(cwd, 'test.mjs'),
    "import { total } from './price.mjs';\nif (total(2) !== 4) process.exit(1);\n",
  );
  git('add', '-A');
  git('commit', '-qm', 'first');

  const review = new TaskReview({
    diff: gitDiff({ cwd }),
    execute: async (_, { attempt, previousError }) => {
      if (previousError !== undefined)
        console.log(`attempt ${attempt}, told: ${previousError.split('\n')[0]}`);
      const check =
        attempt > 1 ? 'if (!Number.isFinite(n)) throw new TypeError("not a number");' : '';
      await writeFile(
        join(cwd, 'price.mjs'),
        `export function total(n) { ${check} return n * 2; }\n`,
      );
    },
    tests: command({ id: 'tests', run: [process.execPath, 'test.mjs'], cwd }),
    provider,
    hitlReview: true,
    commit: async ({ id, name }) => {
      git('add', '-A');
      git('commit', '-qm', `${id}: ${name}`);
    },
    attempts: store.attempts,
    store,
  });

  const result = await review.ask(task, await review.run(task), person);
  console.log(taskStatusLine(task, await store.attempts.last(task.id)));
  console.log(`${result.run.status}; committed: ${git('log', '-1', '--format=%s').trim()}`);
  for (const row of await store.query(
    'SELECT attempt, machine_verdict, human_decision, review_status FROM attempts ORDER BY attempt',
  ))
    console.log(JSON.stringify(row));
} finally {
  await store.close();
  await rm(cwd, { recursive: true });
  await rm(outside, { recursive: true });
}
