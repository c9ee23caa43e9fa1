import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderOf, runCli } from '../../cli/harness.js';

async function overridden(): Promise<{ cwd: string; id: string; log: string }> {
  const cwd = await folderOf({
    'a.txt': 'bad\n',
    'reviewloop.config.mjs':
      "export default { criteria: { fine: ({ artifacts }) => !artifacts[0].content.includes('bad') || 'bad' } };",
  });
  await runCli(cwd, ['review', 'a.txt', '--task-text', 'x', '-q']);
  const [id = ''] = await readdir(join(cwd, '.reviewloop/runs'));
  expect(
    await runCli(cwd, ['override', id, '--reason', 'Legal has checked it', '--by', 'Ada', '-q']),
  ).toMatchObject({ code: 0 });
  return { cwd, id, log: join(cwd, '.reviewloop/audit.jsonl') };
}

describe('reviewloop audit verify', () => {
  test('finds an override of the command line, who and why, and any change of its record (FR-063, FR-064, AC-039, AC-040, RV-13)', async () => {
    const { cwd, id, log } = await overridden();
    const text = await readFile(log, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      seq: 1,
      kind: 'override',
      who: 'Ada',
      reason: 'Legal has checked it',
      decision: 'override',
      runId: id,
      verdict: expect.stringMatching(/^(escalated|stalled|exhausted)/),
    });
    const intact = await runCli(cwd, ['audit', 'verify']);
    expect(intact).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^INTACT: 1 record in \.reviewloop\/audit\.jsonl\nlast: 1:[0-9a-f]{64}\n$/,
      ),
    });
    const mark = /last: (\S+)/.exec(intact.out)?.[1] ?? '';
    await writeFile(log, text.replace('Legal', 'Nobody'));
    expect(await runCli(cwd, ['audit', 'verify'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /^line 1: changed: record 1 is not what was written\nNOT INTACT: 1 problem/,
      ),
    });
    await writeFile(log, '');
    expect(await runCli(cwd, ['audit', 'verify'])).toMatchObject({
      code: 1,
      out: expect.stringContaining(`record 1 is missing, according to run ${id}`),
    });
    expect((await runCli(cwd, ['audit', 'verify', '--expect', mark])).out).toContain(
      'according to `expect`',
    );
  });

  test('gives JSON, and knows stores without a log', async () => {
    const { cwd } = await overridden();
    expect(JSON.parse((await runCli(cwd, ['audit', 'verify', '--json'])).out)).toMatchObject({
      schemaVersion: 1,
      intact: true,
      records: 1,
      head: { seq: 1 },
      torn: false,
      problems: [],
    });
    expect(
      await runCli(cwd, ['audit', 'verify', '--store', 'file:nowhere', '--format', 'json']),
    ).toMatchObject({ code: 0, out: expect.stringContaining('"head": null') });
  });

  test.each([
    [['audit', 'verify', '--expect', 'nonsense']],
    [['audit', 'verify', '--store', 'nonsense']],
    [['audit', 'nonsense']],
    [['audit', 'verify', '--nonsense']],
  ])('refuses %j', async (argv) => {
    expect(await runCli(await folderOf(), argv)).toMatchObject({ code: 2 });
  });

  test('shows nothing of a hostile log that a terminal would obey', async () => {
    const { cwd, log } = await overridden();
    await writeFile(log, '\u001b[2Jx\n');
    const { code, out } = await runCli(cwd, ['audit', 'verify']);
    expect(code).toBe(1);
    expect(out).not.toContain('\u001b');
  });
});
