import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRepository, type Repository } from '../../support/git-repository.js';
import { modelServer, ollamaProtocol } from '../../support/model-server.js';
import { runCli } from './harness.js';

const list = `# Tasks

### TASK-001: Add tea
- [x] a pot
- [ ] water

### TASK-002: Add milk
Depends on: TASK-001
- [ ] a jug

### TASK-003: Add sugar
- [ ] a spoon
`;

process.env['GIT_AUTHOR_NAME'] = process.env['GIT_COMMITTER_NAME'] = 'A';
process.env['GIT_AUTHOR_EMAIL'] = process.env['GIT_COMMITTER_EMAIL'] = 'a@example.org';

/** A repository with a task list, and a command that does a task by writing a file named after it. */
function shop(script = 'cat > "$REVIEWLOOP_TASK_ID.txt"; echo "attempt $REVIEWLOOP_ATTEMPT" >> "$REVIEWLOOP_TASK_ID.txt"\n'): Repository {
  const repository = newRepository();
  repository.write('tasks.md', list);
  repository.write('do.sh', script);
  repository.commit('first');
  return repository;
}

const base = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'sh do.sh', '--test-command', 'ls *.txt && echo 3 passed'];

async function reviewer(verdict: (prompt: string) => object) {
  const server = await modelServer(ollamaProtocol, (call) => ({ kind: 'text', text: JSON.stringify(verdict(JSON.stringify(server.seen[call]?.body))) }));
  return { server, flags: ['--provider', 'ollama:m', '--base-url', server.url] };
}

describe('reviewloop tasks', () => {
  it('does every task in order, commits each, and tells how they stand', async () => {
    const { cwd, git } = shop();
    const ran = await runCli(cwd, [...base, '--all']);
    expect(ran.err + ran.out).toContain('TASK-001: success (review: skipped)');
    expect(ran.code).toBe(0);
    expect(git('log', '--format=%s').split('\n')).toEqual(['TASK-003: Add sugar', 'TASK-002: Add milk', 'TASK-001: Add tea', 'first']);
    expect(readFileSync(join(cwd, 'TASK-001.txt'), 'utf8')).toContain('- [ ] water');
    const again = await runCli(cwd, [...base, '--all']);
    expect(again.code).toBe(0);
    expect(git('log', '--format=%s').split('\n')).toHaveLength(4);
    const status = await runCli(cwd, ['tasks', 'status', '--tasks', 'tasks.md']);
    expect(status.out).toBe('TASK-001: success (review: skipped)\nTASK-002: success (review: skipped)\nTASK-003: success (review: skipped)\n');
  });

  it('waits where nobody can be asked, and goes on with the answer in another process', async () => {
    const { cwd, git } = shop();
    const ran = await runCli(cwd, [...base, '--task', 'TASK-001', '--hitl-review']);
    expect(ran.err).toContain('no terminal');
    expect(ran.code).toBe(53);
    const id = /reviewloop answer (\S+)/.exec(ran.out)?.[1] ?? '';
    const refused = await runCli(cwd, ['answer', id, 'revise', '--by', 'Ada', '--reason', 'more milk']);
    expect(refused.code).toBe(53);
    expect(readFileSync(join(cwd, 'TASK-001.txt'), 'utf8')).toMatch(/more milk[\s\S]*attempt 2/);
    const done = await runCli(cwd, ['answer', id, 'approve', '--by', 'Ada']);
    expect(done.out).toContain('TASK-001: success (review: passed)');
    expect(done.code).toBe(0);
    expect(git('log', '--format=%s')).toContain('TASK-001: Add tea');
    expect((await runCli(cwd, ['answer', id, 'approve', '--by', 'Ada'])).code).toBe(2);
  });

  it('side by side each task has a folder of its own, and all reach the branch', async () => {
    const { cwd, git } = shop();
    const ran = await runCli(cwd, [...base, '--all', '--parallel', '2']);
    expect(ran.err + ran.out).not.toContain('failed');
    expect(ran.code).toBe(0);
    expect(git('log', '--format=%s').split('\n').sort()).toEqual(['TASK-001: Add tea', 'TASK-002: Add milk', 'TASK-003: Add sugar', 'first']);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('a model reviews over its real protocol; what it fails is shown, and required holds it up', async () => {
    const { cwd, git } = shop();
    const { server, flags } = await reviewer((prompt) => ({
      verdict: prompt.includes('attempt 2') ? 'passed' : 'failed',
      reason: 'thin',
      issues: prompt.includes('attempt 2') ? [] : [{ severity: 'major', text: 'too thin', file: 'TASK-001.txt', line: 1 }],
    }));
    const ran = await runCli(cwd, [...base, ...flags, '--task', 'TASK-001', '--review-policy', 'required']);
    await server.close();
    expect(ran.err).toContain('TASK-001: success (review: passed)');
    expect(ran.code).toBe(0);
    expect(git('log', '--format=%s')).toContain('TASK-001');
    const told = await runCli(cwd, ['tasks', 'status', '--tasks', 'tasks.md', '--format', 'json']);
    expect(JSON.parse(told.out)[0].attempts).toMatchObject([{ reviewStatus: 'failed', issues: 1, errorCode: 'REVIEW_FAILED' }, { reviewStatus: 'passed' }]);
  });
});
