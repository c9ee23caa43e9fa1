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
  it('has an approval by code confirmed by other judges, and one dissent blocks', async () => {
    const agreed = await folder("confirmWith: [judge('one', 'yes'), judge('two', 'yes')],");
    expect(await review(agreed, '--trust', 'autonomous')).toMatchObject({
      code: 0,
      out: expect.stringContaining('APPROVED') as string,
    });
    expect((await asked(agreed)).trim().split(' ').sort()).toEqual(['one', 'two']);
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
    expect(await asked(cwd)).toBe('two ');
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
    expect(await asked(cwd)).toBe('one ');
  });

  it('says where a model confirms itself, or is each of the confirming judges, unless it is to be quiet', async () => {
    const review = (cwd: string, ...more: string[]) =>
      runCli(cwd, ['review', 'index.html', '--task-text', 'A page to sign in', ...more]);
    const one = await folder("provider: judge('one', 'yes'),");
    expect((await review(one, '--trust', 'autonomous')).err).toContain(
      '--trust autonomous: one is each of the 2 confirming judges: it repeats its own mistakes; pass a model of another family with --confirm-with\n',
    );
    expect((await review(one, '--trust', 'autonomous', '-q')).err).toBe('');
    expect((await review(one, '--trust', 'guarded')).err).not.toContain('blind spots');
    const two = await folder(
      "provider: judge('one', 'yes'), confirmWith: [judge('two', 'yes'), judge('three', 'yes')],",
    );
    expect((await review(two, '--trust', 'autonomous')).err).not.toContain('blind spots');
    const own = await folderOf({
      'index.html': goodPage,
      'reviewloop.config.mjs': config(
        "provider: judge('one', 'yes'), reviewers: [{ id: 'own', version: '1', tier: 'model', asks: { asking: () => undefined }, review: async () => [] }],",
      ),
    });
    expect((await review(own, '--trust', 'fast')).err).toContain(
      '--trust fast: one confirms what it judges itself',
    );
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
