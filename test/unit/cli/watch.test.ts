import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { faultyPage, folderOf, goodPage, runCli } from './harness.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const argv = ['review', 'site', '--task', 'TASK.md', '--criteria', 'html', '--watch', '--quiet'];

async function site(): Promise<string> {
  return folderOf({ 'TASK.md': 'Pages pass the checks.\n', 'site/a.html': faultyPage });
}

/** A watch whose output the test waits for. */
function watching(cwd: string) {
  // a person sits there, also where the tests run without one
  vi.stubEnv('CI', undefined);
  let out = '';
  let err = '';
  const controller = new AbortController();
  const end = runCli(cwd, argv, {
    out: async (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    signal: controller.signal,
  });
  const reviews = (count: number): Promise<void> =>
    vi.waitFor(
      () => {
        expect(out.match(/^(?:NOT )?APPROVED/gm) ?? []).toHaveLength(count);
        expect(err.match(/Ctrl-C ends/g) ?? []).toHaveLength(count);
      },
      { timeout: 60_000, interval: 20 },
    );
  return { end, reviews, stop: () => controller.abort(), out: () => out, err: () => err };
}

describe('review --watch', () => {
  it('reviews again when a file, a new folder or the task changes, and ends with the last code', async () => {
    const cwd = await site();
    const { end, reviews, stop, err } = watching(cwd);
    await reviews(1);
    writeFileSync(join(cwd, 'site/a.html'), goodPage);
    await reviews(2);
    expect(err()).toContain('changed: a.html\n');
    mkdirSync(join(cwd, 'site/more'));
    writeFileSync(join(cwd, 'site/more/b.html'), faultyPage);
    await reviews(3);
    expect(err()).toContain('changed: b.html\n');
    expect(err()).toContain('watching 3 files');
    writeFileSync(join(cwd, 'TASK.md'), 'All pages pass the checks.\n');
    await reviews(4);
    stop();
    expect((await end).code).toBe(50);
  });

  it('shows what it cannot review, and waits for the next change', async () => {
    const cwd = await site();
    const { end, reviews, stop, err } = watching(cwd);
    await reviews(1);
    writeFileSync(join(cwd, 'TASK.md'), '');
    await vi.waitFor(() => expect(err()).toMatch(/error: .*TASK\.md/), { timeout: 60_000 });
    writeFileSync(join(cwd, 'TASK.md'), 'Pages pass the checks.\n');
    await vi.waitFor(() => expect(err().match(/Ctrl-C ends/g)).toHaveLength(3), {
      timeout: 60_000,
    });
    stop();
    expect((await end).code).toBe(50);
  });

  it.each([
    [['--write'], /--watch cannot be used with --write/],
    [['--diff'], /cannot be used with --diff/],
    [['-'], /--watch cannot watch the standard input/],
  ])('is refused with %s', async (more, message) => {
    const { code, err } = await runCli(await site(), [...argv, ...more]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('is refused in CI and for an agent, where nobody could end it', async () => {
    const cwd = await site();
    expect((await runCli(cwd, argv, { reader: 'agent' })).err).toMatch(/--watch never ends/);
    vi.stubEnv('CI', 'true');
    expect((await runCli(cwd, argv)).code).toBe(2);
    vi.unstubAllEnvs();
  });
});
