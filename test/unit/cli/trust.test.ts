import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseTrust } from '../../../src/cli/review/choose-trust.js';
import { reopenProvider } from '../../../src/cli-kit/provider/choose-provider.js';
import { scriptedProvider } from '../../../src/testing/index.js';
import { folderOf, goodPage, runCli } from './harness.js';

/** A configuration whose models give one answer each, and write down that they were asked. */
const config = (members: string) => `
import { appendFileSync } from 'node:fs';
const capabilities = { schemaSubset: 'none', structuredOutput: false, promptCaching: false };
const judge = (id, answer) => ({ id, model: 'm', capabilities, generate: async ({ messages }) => {
  appendFileSync(new URL('asked.txt', import.meta.url), id + ' ');
  const token = /The token is (\\w+)\\./.exec(messages.at(-1).content)[1];
  return { text: JSON.stringify({ token, answers: [{ question: 1, answer, reason: 'it is so' }] }), usage: {}, model: 'm', finish: 'stop', attempts: 1 };
} });
export default { criteria: ['html'], requirements: false, ${members} };`;

const folder = (members: string) =>
  folderOf({ 'index.html': goodPage, 'reviewloop.config.mjs': config(members) });
const review = (cwd: string, ...more: string[]) =>
  runCli(cwd, ['review', 'index.html', '--task-text', 'A page to sign in', '--quiet', ...more]);
const asked = (cwd: string) => readFile(join(cwd, 'asked.txt'), 'utf8').catch(() => '');

describe('review --trust', () => {
  it('lets models decide about the whole where code passes, and one failure blocks', async () => {
    const agreed = await folder("confirmWith: [judge('one', 'yes'), judge('two', 'yes')],");
    expect(await review(agreed, '--trust', 'autonomous')).toMatchObject({
      code: 0,
      out: expect.stringContaining('APPROVED') as string,
    });
    expect(await asked(agreed)).toBe('one two one two ');
    const dissent = await folder(
      "trust: 'autonomous', confirmWith: [judge('one', 'yes'), judge('two', 'no')],",
    );
    expect(await review(dissent)).toMatchObject({
      code: 50,
      out: expect.stringContaining('NOT APPROVED') as string,
    });
  });

  it('is in the configuration too, where the option goes before it, and is kept for who answers', async () => {
    const cwd = await folder(
      "trust: 'autonomous', provider: judge('one', 'yes'), confirmWith: judge('two', 'yes'),",
    );
    expect((await review(cwd, '--trust', 'fast')).code).toBe(0);
    expect(await asked(cwd)).toBe('one two ');
    const runs = join(cwd, '.reviewloop', 'runs');
    const [run = ''] = await readdir(runs);
    expect(JSON.parse(await readFile(join(runs, run, 'request.json'), 'utf8'))).toMatchObject({
      trust: 'fast',
    });
  });

  it('asks the model of the pipeline where nobody else is named, and nobody without a preset', async () => {
    const cwd = await folder("provider: judge('one', 'yes'),");
    expect((await review(cwd)).code).toBe(0);
    expect(await asked(cwd)).toBe('');
    expect((await review(cwd, '--trust', 'guarded')).code).toBe(0);
    expect(await asked(cwd)).toBe('one one one ');
  });

  it('says where one model takes all turns, unless it is to be quiet', async () => {
    const review = (cwd: string, ...more: string[]) =>
      runCli(cwd, ['review', 'index.html', '--task-text', 'A page to sign in', ...more]);
    const warning =
      '--trust autonomous: one takes all turns: it repeats its own mistakes; pass models of other families with --confirm-with\n';
    const one = await folder("provider: judge('one', 'yes'), confirmWith: judge('one', 'yes'),");
    expect((await review(one, '--trust', 'autonomous')).err).toContain(warning);
    expect((await review(one, '--trust', 'autonomous', '-q')).err).toBe('');
    const alone = await folder("confirmWith: judge('one', 'yes'),");
    expect((await review(alone, '--trust', 'autonomous')).err).toContain(warning);
    const two = await folder("provider: judge('one', 'yes'), confirmWith: judge('two', 'yes'),");
    expect((await review(two, '--trust', 'autonomous')).err).not.toContain('takes all turns');
  });

  it('refuses what would be ignored: no model, judges without a preset, a diff, a preset or a judge that there is not', async () => {
    const cwd = await folderOf({ 'index.html': goodPage });
    const refused = async (...more: string[]) => (await review(cwd, ...more)).err;
    expect(await refused('--trust', 'fast')).toContain('pass --provider or --confirm-with');
    expect(await refused('--confirm-with', 'ollama:a')).toContain(
      '--confirm-with requires --trust',
    );
    expect(await refused('--trust', 'fast', '--confirm-with', 'auto')).toContain(
      '--confirm-with cannot be auto',
    );
    expect(await refused('--trust', 'brave')).toContain('fast, guarded, autonomous');
    expect((await runCli(cwd, ['review', '--diff', '--trust', 'fast'])).err).toContain(
      '--trust cannot be used with --diff',
    );
    for (const members of [
      "trust: 'brave',",
      "trust: 'fast', confirmWith: [],",
      "trust: 'fast', confirmWith: 3,",
    ])
      expect(await review(await folder(members))).toMatchObject({ code: 2 });
  });

  it('takes confirming judges by name', async () => {
    const { confirmWith } = await chooseTrust(
      { trust: 'guarded', confirmWith: ['ollama:a'] },
      { confirmWith: scriptedProvider(() => 'no') },
      reopenProvider,
    );
    expect(confirmWith.map(({ id, model }) => `${id} ${model}`)).toEqual([
      expect.stringMatching(/ollama.* a$/),
    ]);
  });
});
