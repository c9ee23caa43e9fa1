import { describe, expect, it } from 'vitest';
import { newRepository, type Repository } from '../../../support/git-repository.js';
import { send } from '../hooks/send-event.js';
import { runCli } from './harness.js';

const test = "it('adds', () => {\n  expect(add(1)).toBe(2);\n});\n";
const bad = test.replace('it(', 'it.skip(');
const task = '# Tasks\n\n### TASK-001: Add\n- [ ] add\n';

function shop(): Repository {
  const repository = newRepository();
  repository.write('src/add.test.js', test);
  repository.write('.gitignore', '.reviewloop\n');
  repository.write('tasks.md', task);
  repository.commit('first');
  return repository;
}

/** Work in each of the faces: what it does to the test, and what the face says then. */
const faces = {
  'review --diff': async ({ cwd, write }: Repository, content: string) => {
    write('src/add.test.js', content);
    const { out, err } = await runCli(cwd, ['review', '--task', 'tasks.md', '--diff']);
    return { passes: out.includes('INCONCLUSIVE'), said: out + err };
  },
  'tasks run': async ({ cwd, write, git }: Repository, content: string) => {
    write('.reviewloop/do.sh', `cat > src/add.test.js <<'END'\n${content}END\n`);
    const { code, out, err } = await runCli(cwd, [
      ...['tasks', 'run', '--tasks', 'tasks.md', '--task', 'TASK-001', '--attempts', '1'],
      ...['--exec', 'sh "$PWD/.reviewloop/do.sh"', '--test-command', 'true'],
    ]);
    return {
      passes: code === 0 && git('log', '--format=%s').includes('TASK-001'),
      said: out + err,
    };
  },
  'the hook': async ({ cwd, write }: Repository, content: string) => {
    await send('start', { cwd });
    write('src/add.test.js', content);
    const { blocks, reason, message } = await send('stop', { cwd });
    return { passes: !blocks && message.includes('approved'), said: reason + message };
  },
};

describe.each(Object.entries(faces))('%s', (_, work) => {
  it('does not accept a test that is skipped now, and names its line', async () => {
    const { passes, said } = await work(shop(), bad);
    expect(said).toContain('a test is skipped');
    expect(said).toContain('src/add.test.js:1');
    expect(passes).toBe(false);
  });

  it('accepts a test that asserts more', async () => {
    const more = test.replace('});', '  expect(add(2)).toBe(3);\n});');
    const { passes, said } = await work(shop(), more);
    expect(said).not.toContain('a test is skipped');
    expect(passes, said).toBe(true);
  });

  it('accepts a line that a person allows, and what nobody looks for', async () => {
    const allow = [{ path: 'src/add.test.js', line: 1, reason: 'flaky until the next release' }];
    for (const honestWork of [{ allow }, false]) {
      const repository = shop();
      repository.write('reviewloop.config.json', JSON.stringify({ honestWork }));
      repository.commit('configuration');
      const { passes, said } = await work(repository, bad);
      expect(passes, said).toBe(true);
    }
  });
});

it('the hook names a deleted test, and files around it do not matter', async () => {
  const repository = shop();
  const { cwd, write } = repository;
  await send('start', { cwd });
  write('src/add.test.js', "import { add } from './add.js';\n");
  const { blocks, reason } = await send('stop', { cwd });
  expect(blocks).toBe(true);
  expect(reason).toContain('1 test deleted: adds');
});
