import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { newRepository, type Repository } from '../../../../support/git-repository.js';
import { type JudgeServer, judgeServer } from '../../../../support/judge-server.js';
import { ending, failing } from '../../../../support/matchers.js';
import { faults, goodCode, poorCode, repositoryWith } from '../../../../system/stage-repository.js';
import { type CliResult, folderOf, reportIn, runCli } from '../../cli/harness.js';

const flags = (server: JudgeServer): string[] => [
  ...['--task', 'TASK.md', '--quiet'],
  ...['--provider', 'openai:served', '--base-url', server.url],
];

async function review(
  { cwd }: Pick<Repository, 'cwd'>,
  server: JudgeServer,
  ...more: string[]
): Promise<CliResult> {
  return runCli(cwd, ['review', ...more, '--diff', ...flags(server)]);
}

const runs = ({ cwd }: Pick<Repository, 'cwd'>): string[] =>
  readdirSync(join(cwd, '.reviewloop/runs')).sort();

describe('the page of a review of a diff', () => {
  it('is written by --report and by report, and shows the dimensions', async () => {
    const server = await judgeServer(faults);
    const { cwd } = repositoryWith(poorCode);
    const { code } = await review({ cwd }, server, 'src', '--report', 'html=out/r.html');
    expect(code).toBe(50);
    expect((await runCli(cwd, ['report', '--html', 'later.html'])).code).toBe(0);
    for (const file of ['out/r.html', 'later.html']) {
      const [run] = reportIn(cwd, file).runs;
      expect(run?.status).toBe('exhausted');
      const names = [
        ...(run?.judges.rows ?? []).map(({ name }) => name),
        ...(run?.judges.others ?? []),
      ];
      expect(names.length).toBeGreaterThan(0);
      expect(run?.gaps.length).toBeGreaterThan(0);
    }
  });

  it('is refused before any work where it cannot be understood or written', async () => {
    const server = await judgeServer(faults);
    const repository = repositoryWith(goodCode);
    expect(await review(repository, server, 'src', '--report', 'pdf=r.pdf')).toMatchObject(
      failing(2, '--report expects html=FILE, sarif=FILE'),
    );
    const blocked = await review(repository, server, 'src', '--report', 'html=TASK.md/r.html');
    expect(blocked).toMatchObject({ ...failing(1, '[output_unwritable]'), out: '' });
    expect(server.prompts).toEqual([]);
  });

  it('refuses what it would ignore', async () => {
    const { cwd } = repositoryWith(goodCode);
    for (const argv of [
      ['--words', 'decide'],
      ['--check-timeout', '5'],
      ['--max-files', '5'],
      ['--requirements', 'R.yml'],
      ['--no-requirements'],
      ['--fix'],
      ['--fail-on', 'minor'],
    ])
      expect(await runCli(cwd, ['review', '--diff', '--task', 'TASK.md', ...argv])).toMatchObject(
        failing(2, `${argv[0]} cannot be used with --diff`),
      );
  });
});

describe('review --diff', () => {
  it('ReviewerIntegrationTests.Should_Review_Real_Task (RV-56): a real repository, a real diff, a served model', async () => {
    const server = await judgeServer(faults);
    const good = repositoryWith(goodCode);
    expect(await review(good, server, 'src')).toMatchObject(ending(0, 'Decision: APPROVED'));
    expect(server.prompts).toHaveLength(5);
    for (const prompt of server.prompts)
      for (const part of ['isEmail(text)', 'new: src/email.js (+5 -0)'])
        expect(prompt).toContain(part);
    const sampled = server.prompts.filter((prompt) => prompt.includes('sample src/phone.js'));
    expect(sampled).toHaveLength(1);
    const poor = await review(repositoryWith(poorCode), server, 'src');
    expect(poor).toMatchObject(ending(50, 'Decision: REJECTED'));
  });

  it('nobody is asked but the model that is named, although a key is set [RV-09, R3-103]', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-not-used');
    const { cwd } = repositoryWith(goodCode);
    const open = await runCli(cwd, ['review', '--diff', '--task', 'TASK.md']);
    vi.unstubAllEnvs();
    expect(open).toMatchObject(failing(50, 'OPENAI_API_KEY is set but not used'));
    expect(open.out).toContain('Decision: INCONCLUSIVE');
  });

  it('without a model code judges what it can, and the dimensions stay open', async () => {
    const { cwd } = repositoryWith(goodCode);
    const { code, out } = await runCli(cwd, ['review', '--diff', '--task', 'TASK.md', '-q']);
    expect(code).toBe(50);
    expect(out).toMatch(/ {4}\? Safety: Undecided\n {6}no model was asked\n/);
    expect(out).toMatch(
      / {2}Decision: INCONCLUSIVE\n {2}Reason: 5 of \d+ assessments are undecided/,
    );
    expect(out).toMatch(/\nchecks: \d+ passed, \d+ not applicable, 5 undecided\n/);
    expect(out).toMatch(
      /\nundecided: intent_alignment, code_quality, completeness, consistency, safety\n/,
    );
    expect(out).toMatch(
      /\nnext: reviewloop answer \S+ intent_alignment=yes .*\n {2}or: reviewloop review --task TASK\.md --provider ollama:MODEL --quiet --diff # a model decides\n/,
    );
    expect((await runCli(cwd, ['runs'])).out).toMatch(/inconclusive +unknown +0 gaps, 5 undecided/);
  });

  it.each([
    [[], 50, 0, '\n\\[COMPLETE\\] Task finished successfully'],
    [['--human', 'require'], 53, 53, '\nnext: reviewloop answer \\S+ approve\n'],
  ])(
    'a person decides the dimensions that no model judged %j',
    async (human, before, after, end) => {
      const repository = repositoryWith(goodCode);
      const argv = ['review', '--diff', '--task', 'TASK.md', '-q', ...human];
      const { code, out } = await runCli(repository.cwd, argv);
      expect(code).toBe(before);
      expect(out).toMatch(/\nnext: reviewloop answer \S+ intent_alignment=yes /);
      const [id = ''] = runs(repository);
      const decide = (...decisions: string[]) =>
        runCli(repository.cwd, ['answer', id, 'decide', ...decisions, '--by', 'Ada', '-q']);
      expect(await decide('style=yes')).toMatchObject(failing(2, 'style is not undecided'));
      expect(await decide('intent_alignment=yes', 'code_quality=yes')).toMatchObject(
        ending(before, 'undecided: completeness, consistency, safety\n'),
      );
      const decided = await decide('completeness=yes', 'consistency=yes', 'safety=yes');
      expect(decided.code).toBe(after);
      expect(decided.out).toMatch(/Decision: APPROVED/);
      expect(decided.out).toMatch(new RegExp(end));
      expect((await runCli(repository.cwd, ['runs', '--summary'])).out).toContain(
        'Decided by: Ada',
      );
      expect((await runCli(repository.cwd, ['audit', 'verify'])).out).toMatch(/^INTACT: 2 records/);
    },
  );

  it('without a model a secret, a conflict mark and a failed command in the changes reject', async () => {
    const repository = repositoryWith(goodCode);
    repository.write('src/old.js', '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n');
    repository.commit();
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    repository.write('src/old.js', '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\nlet z;\n');
    repository.write('src/key.js', `export const key = '${token}';\n`);
    repository.write('src/merge.js', '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n');
    const { code, out } = await runCli(repository.cwd, [
      ...['review', 'src', '--diff', '--task', 'TASK.md', '-q', '--verify', 'exit 3'],
    ]);
    expect(code).toBe(50);
    expect(out).toContain('Decision: REJECTED');
    expect(out).toMatch(/- src\/key\.js:1: the code seems to contain a secret/);
    expect(out).toMatch(/- src\/merge\.js:1: /);
    expect(out).toMatch(/- the verification exit 3 failed/);
    expect(out).not.toMatch(/- src\/old\.js/);
    expect(out).not.toContain(token);
    expect(out).toMatch(/\nnext: reviewloop review .* # after you fixed the issues\n/);
  });

  it('the model of the whole configuration judges where neither an option nor the section names one', async () => {
    const server = await judgeServer([]);
    const repository = repositoryWith(goodCode);
    repository.write(
      'reviewloop.config.json',
      JSON.stringify({ provider: 'openai', model: 'served', baseUrl: server.url }),
    );
    expect(
      await runCli(repository.cwd, ['review', 'src', '--diff', '--task', 'TASK.md', '-q']),
    ).toMatchObject({ code: 0, err: '' });
    expect(server.prompts).toHaveLength(5);
  });

  it('reviews a range of commits, what is staged, and against a commit, also with a detached head', async () => {
    const server = await judgeServer([]);
    const repository = repositoryWith(goodCode);
    repository.git('add', '-A');
    const decided = async (argv: string[]) =>
      JSON.parse((await runCli(repository.cwd, ['review', ...argv, ...json])).out) as unknown;
    const json = ['--format', 'json', ...flags(server)];
    const staged = { decision: 'APPROVED', summary: { head: 'staged' } };
    expect(await decided(['--staged'])).toMatchObject(staged);
    const before = repository.git('rev-parse', 'HEAD');
    const after = repository.commit();
    repository.git('checkout', '-q', '--detach');
    for (const range of [`${before}..${after}`, `${before}...HEAD`, before])
      expect(await decided(['--diff', range]), range).toMatchObject({
        ...{ decision: 'APPROVED', exitCode: 0 },
        summary: { base: before, changes: [{ path: 'src/email.js' }] },
      });
  });

  it('leaves out its own new files: task, plan and configuration, in a folder of the repository too', async () => {
    const repository = repositoryWith(goodCode);
    repository.write('sub/NEW-TASK.md', 'Add email validation');
    repository.write('sub/reviewloop.config.yaml', 'reviewer: {}');
    const server = await judgeServer([]);
    const { out } = await runCli(join(repository.cwd, 'sub'), [
      ...['review', '--format', 'json', '--task', 'NEW-TASK.md', '--quiet'],
      ...['--provider', 'openai:m', '--base-url', server.url, '--diff'],
    ]);
    const { summary } = JSON.parse(out) as { summary: { changes: { path: string }[] } };
    expect(summary.changes.map(({ path }) => path)).toEqual(['src/email.js']);
  });

  it('works before the first commit', async () => {
    const repository = newRepository();
    repository.write('TASK.md', 'Add a file');
    repository.write('a.js', 'export const a = 1;\n');
    expect((await review(repository, await judgeServer([]))).code).toBe(0);
  });

  it('never approves what it cannot review: no repository, no change, binary files only, too much', async () => {
    const server = await judgeServer([]);
    const none = await folderOf({ 'TASK.md': 'Do it' });
    expect(await review({ cwd: none }, server)).toMatchObject(failing(2, 'not_a_repository'));
    const repository = repositoryWith(goodCode);
    repository.commit();
    const nothing = failing(2, 'nothing to review');
    expect(await review(repository, server)).toMatchObject(nothing);
    repository.write('logo.png', Buffer.from([0, 1, 2]));
    expect(await review(repository, server)).toMatchObject(nothing);
    for (let index = 0; index < 25; index += 1)
      repository.write(`big${index}.js`, 'const x = "something that counts";\n'.repeat(5000));
    expect(await review(repository, server)).toMatchObject(failing(2, 'diff_too_large'));
    const unknown = ['review', '--diff', 'no-such-branch', ...flags(server)];
    expect(await runCli(repository.cwd, unknown)).toMatchObject(failing(2, 'revision_unknown'));
    expect(server.prompts).toHaveLength(0);
    expect(readdirSync(repository.cwd)).not.toContain('.reviewloop');
  });

  it('a file that is too large is named, and not approved; the next command lets it be judged in part [R3-089]', async () => {
    const repository = repositoryWith(goodCode);
    repository.write('src/huge.js', 'const x = "something that counts";\n'.repeat(12_000));
    const server = await judgeServer([]);
    const result = await review(repository, server, 'src');
    expect(result.code).toBe(50);
    expect(result.out).toContain('src/huge.js is too large');
    expect(result.out).toMatch(
      /\nnext: .* --allow-truncated src\/huge\.js .*# judges the large files in part\n/,
    );
    const allowed = await review(repository, server, 'src', '--allow-truncated', 'src/huge.js');
    expect(allowed).toMatchObject(ending(50, 'not reviewed in full: src/huge.js (cut)'));
  });

  it('has no colours where there is no terminal, and colours marks where there is one', async () => {
    const server = await judgeServer([]);
    const repository = repositoryWith(goodCode);
    expect((await review(repository, server, 'src')).out).not.toContain('\u001b');
    const argv = ['review', '--diff', 'HEAD', 'src', ...flags(server)];
    const coloured = await runCli(repository.cwd, argv, { colours: true });
    expect(coloured.out).toContain('\u001b[32m');
  });

  it('keeps no secret: not in prompts, summary, report, log or journal', async () => {
    const secret = `AKIA${'ABCDEFGH12345678'}`;
    const repository = repositoryWith(`// the key\nexport const key = "${secret}";\n`);
    repository.write('TASK.md', `Add a key such as ${secret}\n`);
    const server = await judgeServer([]);
    const result = await review(repository, server, 'src');
    expect(result).toMatchObject(ending(50, 'the code seems to contain a secret'));
    const [id = ''] = runs(repository);
    const folder = join(repository.cwd, '.reviewloop/runs', id);
    const kept = readdirSync(folder).flatMap((name) =>
      name.includes('.') ? [readFileSync(join(folder, name), 'utf8')] : [],
    );
    expect(kept.length).toBeGreaterThan(4);
    for (const text of [result.out, ...kept, ...server.prompts]) expect(text).not.toContain(secret);
  });
});

describe('what was kept', () => {
  it('the log of a review tells why, dimension by dimension; a rejection takes a review with more context, or an override [RV-40]', async () => {
    const server = await judgeServer(faults);
    const repository = repositoryWith(poorCode);
    const rejected = await review(repository, server, 'src');
    expect(rejected.out).toContain('  or: reviewloop override');
    const [id = ''] = runs(repository);
    const log = readFileSync(join(repository.cwd, '.reviewloop/runs', id, 'log.jsonl'), 'utf8');
    expect(log).toContain('"event":"review_cycle"');
    expect(log).toContain('Missing error handling for null input');
    repository.write('PLAN.md', 'null never comes here');
    await review(repository, server, 'src', '--plan', 'PLAN.md', '--again');
    expect(server.prompts.at(-1)).toContain('null never comes here');
    expect((await runCli(repository.cwd, ['override', id, '--reason', 'a prototype'])).code).toBe(
      0,
    );
  });

  it('what is damaged, cut, missing or of a later version is told as such, and left as it is', async () => {
    const repository = repositoryWith(poorCode);
    await review(repository, await judgeServer(faults), 'src');
    const [id = ''] = runs(repository);
    for (const [name, damage] of [
      ['request.json', (text: string) => text.replace(/"schemaVersion": \d/, '"schemaVersion": 9')],
      ['request.json', (text: string) => text.slice(0, 40)],
      ['review.json', (text: string) => text.slice(0, 40)],
      ['review.json', (text: string) => text.replace(/"schemaVersion": \d/, '"schemaVersion": 9')],
      ['journal.jsonl', (text: string) => text.replace('"schema":1', '"schema":9')],
      ['journal.jsonl', (text: string) => `garbage\n${text}`],
    ] as const) {
      const file = join(repository.cwd, '.reviewloop/runs', id, name);
      const whole = readFileSync(file, 'utf8');
      const damaged = damage(whole);
      writeFileSync(file, damaged);
      const answered = await runCli(repository.cwd, ['override', id, '--reason', 'x']);
      expect(answered.code, `${name}: ${answered.out}`).not.toBe(0);
      expect(answered.err).toMatch(/^error: [\s\S]+ \[[a-z_]+\]\n$/);
      expect(readFileSync(file, 'utf8')).toBe(damaged);
      writeFileSync(file, whole);
    }
  });
});
