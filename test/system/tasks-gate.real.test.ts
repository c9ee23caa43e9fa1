import { describe, expect } from 'vitest';
import { newRepository } from '../support/git-repository.js';
import { words } from '../support/matchers.js';
import { modelServer, ollamaProtocol } from '../support/model-server.js';
import { itInTerminal, terminal } from '../support/tmux.js';
import { bin, run } from './cli-harness.js';

const list = '### TASK-003: Add API endpoints\n- [ ] handles errors\n';
const answer = {
  verdict: 'failed',
  reason: 'two issues',
  issues: [
    { severity: 'major', text: 'No error handling in API call\u001b[2J', file: 'api.py', line: 45 },
    { severity: 'minor', text: 'Unused import', file: 'utils.py', line: 1 },
  ],
};
const env = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** The gate of a real run: a repository, a model on loopback, and a terminal that shows it. */
async function gate() {
  const repository = newRepository();
  repository.write('tasks.md', list);
  repository.commit('first');
  const server = await modelServer(ollamaProtocol, (call) => ({
    kind: 'text',
    text: JSON.stringify(
      call === 0 ? answer : { verdict: 'passed', reason: 'fine now', issues: [] },
    ),
  }));
  const flags = [
    ...words('tasks run --tasks tasks.md --all --exec'),
    "'echo $REVIEWLOOP_ATTEMPT > api.py'",
    '--test-command',
    "'echo 15 passed'",
    ...words('--hitl-review --by Ada --provider ollama:m --base-url'),
    server.url,
  ];
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const screen = terminal(
    `cd '${repository.cwd}' && ${variables.join(' ')} '${process.execPath}' '${bin}' ${flags.join(' ')}; echo "ENDED $?"; sleep 60`,
  );
  const status = async () =>
    (await run(repository.cwd, ['tasks', 'status', '--tasks', 'tasks.md'])).out;
  return { ...repository, ...screen, server, status };
}

describe('seed 002: the gate in a real terminal', () => {
  itInTerminal(
    'P4-31, P4-32, P4-33, P4-34: the screen of the seed, with nothing that the terminal obeys; f does the task again',
    async () => {
      const { until, type, press, server, status, git } = await gate();
      const screen = await until(/\[a\]pprove {2}\[r\]eject {2}\[f\]ix-and-retry {2}\[s\]kip/);
      expect(screen).toMatch(/═{50}\n📋\s+Review: TASK-003 — Add API endpoints\n═{50}/);
      expect(screen).toMatch(
        /2 issues found:\n {2}MAJOR: No error handling in API call \(api\.py:45\)\n {2}MINOR: Unused import \(utils\.py:1\)/,
      );
      expect(screen).toContain('Verdict: REVIEW_FAILED');
      type('x');
      press('Enter');
      await until(/Invalid choice\. Use: a, r, f,? ?/);
      press('C-u');
      type('f');
      press('Enter');
      await until(/Verdict: REVIEW_PASSED[\s\S]*\[a\]pprove/);
      type('a');
      press('Enter');
      await until(/ENDED 0/);
      expect(await status()).toBe('TASK-003: success (review: passed)\n');
      expect(git('show', '--format=%s', '--stat')).toContain('TASK-003: Add API endpoints');
      expect(git('show', 'HEAD:api.py')).toBe('2');
      await server.close();
    },
  );

  itInTerminal(
    'a approves a failed review only with a reason; r and s end as they are called',
    async () => {
      for (const [key, code, line] of [
        ['a', 0, 'TASK-003: success (review: passed)'],
        ['reject', 51, 'TASK-003: failed  (review: rejected)'],
        ['s', 0, 'TASK-003: success (review: skipped)'],
      ] as const) {
        const { until, type, press, server, status } = await gate();
        await until(/\[a\]pprove/);
        type(key);
        press('Enter');
        if (key === 'a') {
          await until(/Reason for override/);
          type('known');
          press('Enter');
        }
        if (key === 'reject') {
          await until(/Reason \(optional\)/);
          press('Enter');
        }
        await until(new RegExp(`ENDED ${code}`));
        expect(await status()).toBe(`${line}\n`);
        await server.close();
      }
    },
  );

  itInTerminal('D002-11: who leaves the terminal approves nothing; the task waits', async () => {
    const { until, press, server, status, git } = await gate();
    await until(/\[a\]pprove/);
    press('C-d');
    await until(/ENDED 53/);
    expect(await status()).toContain('TASK-003: waiting');
    expect(git('log', '--format=%s')).toBe('first');
    await server.close();
  });
});
