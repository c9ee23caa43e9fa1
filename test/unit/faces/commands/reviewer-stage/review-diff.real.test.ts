import {
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { warnAboutVersions } from '@/faces/commands/reviewer-stage/review-diff.js';
import { listReviews } from '@/faces/commands/reviewer-stage/stored-reviews.js';
import { streams } from '../../../../support/command-streams.js';
import { newRepository } from '../../../../support/git-repository.js';
import { judgeServer } from '../../../../support/judge-server.js';
import { faults, goodCode, repositoryWith } from '../../../../system/stage-repository.js';
import { runCli } from '../../cli/harness.js';
import { configWith, placeWith, reviewed, settings } from './stage-place.js';
import { storedPlace, storedReview } from './stored-place.js';

const good = 'export const a = 1;\n';
const poor = '// FIXME\n';
const broken = '// BREAK\n';
const stored = (store: string, id: string, name: string): string =>
  readFileSync(join(store, 'runs', id, name), 'utf8');
const storedJson = (store: string, id: string, name: string): unknown =>
  JSON.parse(stored(store, id, name));

describe('the end of a review of a diff', () => {
  it('is a decision, where it is stored, and what to do next', async () => {
    const { code, out, id } = await reviewed(placeWith(good));
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      ...['[REVIEWER] Reviewing implementation...', ''],
      ...['  Quality Assessment:', '    ✓ Done: Good', '      nothing is left', ''],
      ...['  Decision: APPROVED', '', '[COMPLETE] Task finished successfully', ''],
      ...['APPROVED', 'status: approved', `stored: .reviewloop/runs/${id}`],
      ...[expect.stringMatching(/^next: reviewloop runs \S+ --summary$/), ''],
    ]);
  });

  it('names the issues of rejected work, and the ways on [R3-089]', async () => {
    const { code, out } = await reviewed(placeWith(poor));
    expect(code).toBe(50);
    expect(out).toContain('  Feedback:\n  - a.js:1: there is a FIXME -> remove it\n');
    expect(out).toMatch(
      /\nstatus: exhausted, no review is left\nstored: .*\nnext: reviewloop review --diff # after you fixed the issues\n {2}or: reviewloop override \S+ --reason "\.\.\." # in your name\n$/,
    );
  });

  it('names its own time limit where a dimension takes longer [R3-090]', async () => {
    const hangs = "async (work) => (work ? new Promise((done) => setTimeout(done, 5000)) : '')";
    const config = configWith('timeoutSeconds: 0.2').replace(
      /assess: [\s\S]*?\n\}/,
      `assess: ${hangs}`,
    );
    const place = placeWith(good, config);
    expect((await reviewed(place)).code).toBe(52);
    const { out } = await runCli(place.cwd, ['runs', '0']);
    expect(out).toContain('`reviewer.timeout_seconds`');
    expect(out).not.toContain('`timeouts.');
  });

  it('asks failed judges again, in the same session, and shows no score [R2-021, R2-026]', async () => {
    const place = placeWith(broken);
    const { code, out } = await reviewed(place, { session: 'mine' });
    expect(code).toBe(50);
    expect(out).toMatch(/the judge is broken/);
    expect(out).toMatch(
      /\nstatus: inconclusive \(ACODE-REVIEW-002\)\n.*\nnext: reviewloop review --diff --session mine # asks the failed judges again\n {2}or: reviewloop override /,
    );
    expect((await runCli(place.cwd, ['runs'])).out).toMatch(/inconclusive +unknown/);
  });

  it('leaves open what no model judged, and says how to decide it', async () => {
    const config = configWith().replace('safety: false', 'safety: true');
    const { out } = await reviewed(placeWith(good, config));
    expect(out).toMatch(
      /\nnext: reviewloop answer \S+ safety=yes # yes or no, .*\n {2}or: reviewloop review --diff --provider ollama:MODEL # a model decides\n {2}or: reviewloop override /,
    );
    const rejected = await reviewed(placeWith(poor, config));
    expect(rejected.out).toMatch(
      /\nnext: reviewloop review --diff # after you fixed the issues\n {2}or: reviewloop answer \S+ safety=yes # yes or no, .*\n/,
    );
  });

  it('waits for a person', async () => {
    const { code, out } = await reviewed(placeWith(good), { human: 'require' });
    expect(code).toBe(53);
    expect(out).toMatch(
      /\nstatus: suspended\n.*\nnext: reviewloop answer \S+ approve\n {2}or: reviewloop inbox /,
    );
  });

  it('is one object for programs', async () => {
    const { out, id } = await reviewed(placeWith(poor), { format: 'json' });
    expect(JSON.parse(out)).toMatchObject({
      ...{ schemaVersion: 1, runId: id, status: 'exhausted', decision: 'REJECTED', cycles: 0 },
      ...{ outcome: 'rejected', code: null, exitCode: 50, requests: [], undecided: [] },
      reasoning: 'done is poor',
      feedback: { issues: [{ dimension: 'done', where: 'a.js:1' }] },
      summary: { goal: 'Add a file', levels: { done: 'poor' } },
      next: [{ why: 'after you fixed the issues', command: 'reviewloop review --diff' }, {}],
    });
  });
});

/** Changes that leave nothing that a check could read, made in a repository with `a.txt` and `dead.js`. */
const unreadable: Readonly<Record<string, (place: ReturnType<typeof newRepository>) => void>> = {
  'a deleted file': ({ cwd }) => rmSync(join(cwd, 'dead.js')),
  'a file in Latin-1': ({ write }) => write('l.js', Buffer.from('x="\xe9";\n', 'latin1')),
  'a binary file': ({ write }) => write('p.bin', Buffer.from([0, 1, 2])),
  'a renamed file': ({ cwd, git }) => {
    rmSync(join(cwd, '.reviewloop'), { recursive: true, force: true });
    git('mv', 'dead.js', 'alive.js');
  },
  'another mode': ({ cwd }) => chmodSync(join(cwd, 'dead.js'), 0o755),
  'a link': ({ cwd }) => symlinkSync('a.txt', join(cwd, 'link')),
};

describe('a change without readable content', () => {
  const changed = async (names: readonly string[], beside: boolean) => {
    const place = newRepository();
    place.write('a.txt', 'a\n');
    place.write('dead.js', 'x = 1;\n');
    place.write('T.md', 'Remove dead code.\n');
    place.commit('first');
    for (const name of names) unreadable[name]?.(place);
    if (beside) place.write('n.js', 'export const n = 2;\n');
    place.git('add', '-A');
    return runCli(place.cwd, ['review', '--staged', '--task', 'T.md']);
  };

  it.each(
    Object.keys(unreadable).flatMap((name) => [[name, false] as const, [name, true] as const]),
  )(
    '%s is no plan, and is rejected by no check; beside a readable one: %s [R3-053, R3-054]',
    async (name, beside) => {
      const { code, out } = await changed([name], beside);
      // a file alone that nobody can read is refused, since nothing could be reviewed
      expect(code).toBe(/binary|Latin/.test(name) && !beside ? 2 : 50);
      if (code === 50) expect(out).toContain('Decision: INCONCLUSIVE');
      expect(out).not.toMatch(/The plan has no tasks|REJECTED/);
    },
  );

  it('names a file that is no UTF-8, beside others too [R3-054]', async () => {
    const { out } = await changed(['a file in Latin-1'], true);
    expect(out).toContain('\nnot reviewed in full: l.js (binary)\n');
  });
});

describe('what a review of a diff stores', () => {
  it('are request, report, summary, page and log', async () => {
    const place = placeWith(good);
    const { store, id } = await reviewed(place, { session: 'mine', paths: ['a.js'] });
    expect(storedJson(store, id, 'request.json')).toMatchObject({
      ...{ kind: 'stage', schemaVersion: 2, runId: id, sessionId: 'mine', cwd: place.cwd },
      ...{
        task: { source: 'TASK.md', text: 'Add a file' },
        paths: ['a.js'],
        own: ['TASK.md', expect.any(String)],
      },
      ...{ diff: { kind: 'working-tree', base: place.git('rev-parse', 'HEAD') } },
      ...{ config: join(place.cwd, 'reviewloop.config.mjs'), process: { pid: process.pid } },
      ...{
        command: 'reviewloop review --diff --session mine',
        base: place.git('rev-parse', 'HEAD'),
      },
    });
    expect(storedJson(store, id, 'review.json')).toMatchObject({
      ...{ pipeline: 'reviewer-stage', status: 'approved', exitCode: 0, approved: true },
      ...{ task: { source: 'TASK.md' }, criteria: { chosen: ['done'], names: { done: 'Done' } } },
      files: [{ path: 'a.js', type: 'code', bytes: good.length }],
    });
    expect(storedJson(store, id, 'summary.json')).toMatchObject({ sessionId: 'mine' });
    expect(stored(store, id, 'summary.md')).toMatch(/^# APPROVED: Add a file\n/);
    expect(stored(store, id, 'log.jsonl')).toContain('review_decision');
    expect(statSync(join(store, 'runs', id, 'request.json')).mode & 0o777).toBe(0o600);
  });

  it('contains no secret of the task or of a command', async () => {
    const secret = `ghp_${'a1B2c3'.repeat(6)}`;
    const { store, id, out } = await reviewed(placeWith(good), {
      ...{ task: undefined, taskText: `Use ${secret}`, verify: [`echo ${secret}`] },
    });
    const names = ['request.json', 'review.json', 'summary.json', 'summary.md', 'log.jsonl'];
    for (const name of names.slice(1)) expect(stored(store, id, name), name).not.toContain(secret);
    expect(out).not.toContain(secret);
  });
});

describe('what a review of a diff takes into account', () => {
  it('are commands that verify the work, of the configuration and of the flags', async () => {
    const place = placeWith(good, configWith("verify: ['true'],"));
    const passed = await reviewed(place);
    expect(passed.out).toMatch(/^\[VERIFIER\] All checks passed ✓\n/);
    const failed = await reviewed(place, { verify: ['exit 3', 'exit 4'] });
    expect(failed.out).toMatch(/^\[VERIFIER\] 2 of 3 checks failed ✗: exit 3, exit 4\n/);
    expect(failed.code).toBe(50);
    expect(failed.out).toContain('the verification exit 3 failed');
  });

  it('are plan, results and earlier verifications from files, which are no part of the work', async () => {
    const place = placeWith(good);
    place.write('plan.md', 'First this.');
    place.write('results.json', JSON.stringify([{ step: 'one', status: 'failed' }]));
    place.write('checks.json', JSON.stringify([{ name: 'by hand', passed: false }]));
    const files = { plan: 'plan.md', results: 'results.json', verification: 'checks.json' };
    const { code, out, store, id } = await reviewed(place, files);
    expect(code).toBe(50);
    expect(out).toContain('1 of 1 checks failed ✗: by hand');
    const { files: reviewedFiles } = storedJson(store, id, 'review.json') as {
      files: { path: string }[];
    };
    expect(reviewedFiles.map(({ path }) => path)).toEqual(['a.js']);
  });

  it('is a planner, which changes the files and is told what is wrong', async () => {
    const config = configWith(
      'replan: \'cat > .git/told.txt; echo "$REVIEWLOOP_CYCLE" >> .git/told.txt; echo fine > a.js; echo a new plan\',',
    );
    const place = placeWith(poor, config);
    const { code, out, store, id } = await reviewed(place);
    expect(code).toBe(0);
    expect(out).toMatch(
      /\n {2}Decision: REJECTED\n {2}Reason: .*\n\n\[ORCHESTRATOR\] Cycling to Planner for revision\n {2}Feedback: "remove it"/,
    );
    expect(readFileSync(join(place.cwd, '.git/told.txt'), 'utf8')).toMatch(
      /there is a FIXME[\s\S]*1\n$/,
    );
    expect(storedJson(store, id, 'summary.json')).toMatchObject({
      cycles: 1,
      cycleTriggers: [['done']],
      decision: 'APPROVED',
    });
    const none = placeWith(poor, config.replace('replan', 'max_cycles: 0, replan'));
    expect((await reviewed(none)).code).toBe(50);
    expect(existsSync(join(none.cwd, '.git/told.txt'))).toBe(false);
  });

  it('is no configuration where none shall be read', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    const { out, store, id } = await reviewed(placeWith(good), { config: false });
    vi.unstubAllEnvs();
    expect(out).toMatch(
      /undecided: intent_alignment, code_quality, completeness, consistency, safety/,
    );
    expect(storedJson(store, id, 'request.json')).toMatchObject({ config: false });
  });
});

const open = configWith().replace('safety: false', 'safety: true');

/** The end of a review with this configuration. */
const ended = async (
  code: string,
  config = configWith(),
  more: Parameters<typeof storedReview>[2] = {},
) => storedReview(await storedPlace(config), code, more);

describe('the last lines of a review', () => {
  it('offer an override only, where the command cannot be repeated', async () => {
    expect((await ended(broken, configWith(), { repeats: false })).out).toMatch(
      /\nnext: reviewloop override \S+ --reason "\.\.\." # in your name\n$/,
    );
    expect((await ended(poor, open, { repeats: false })).out).toMatch(
      /\nnext: reviewloop answer \S+ safety=yes # yes or no, .*\n {2}or: reviewloop override/,
    );
  });

  it('name no model where there was one', async () => {
    expect((await ended(good, open)).out).toContain('\nundecided: safety\n');
    expect((await ended(good, open)).out).not.toContain('ollama');
  });

  it('name what was not reviewed in full, ten files at most', async () => {
    const files = (count: number) => ({
      changedFiles: [
        { path: 'a.js', status: 'new' as const, content: good },
        { path: 'b.js', status: 'modified' as const, diff: '+b', omitted: 'content' as const },
        ...Array.from({ length: count }, (_, index) => ({
          ...{ path: `${index}.png`, status: 'new' as const, mayBeUnseen: true },
          omitted: 'binary' as const,
        })),
      ],
    });
    const linesWith = async (count: number) =>
      (await ended(good, configWith(), { work: files(count) })).out
        .split('\n')
        .filter((line) => line.startsWith('not reviewed'));
    expect(await linesWith(0)).toEqual([]);
    expect(await linesWith(1)).toEqual(['not reviewed in full: 0.png (binary)']);
    expect(await linesWith(10)).toEqual([expect.stringMatching(/9\.png \(binary\)$/)]);
    expect(await linesWith(12)).toEqual([expect.stringMatching(/9\.png \(binary\) and 2 more$/)]);
  });

  it('are an object for programs, with what is asked, and Markdown for an agent', async () => {
    const waiting = await ended(good, configWith(), { format: 'json', human: 'require' });
    const asked = { allowed: expect.arrayContaining(['approve']) as string[] };
    expect(JSON.parse(waiting.out)).toMatchObject({ feedback: null, requests: [asked] });
    expect((await ended(good, configWith(), { io: { reader: 'agent' } })).out).toMatch(/^APPROVED/);
  });
});

describe('the stage that a request builds', () => {
  const outcomeOf = async (
    code: string,
    config: string,
    more: Parameters<typeof storedReview>[2] = {},
  ) => {
    const { result } = await ended(code, config, more);
    return [result.decision, result.outcome];
  };

  it('takes quality and thresholds from the configuration, of enabled dimensions', async () => {
    expect(await outcomeOf(good, configWith("min_quality: 'excellent',"))).toEqual([
      ...['REJECTED', 'rejected'],
    ]);
    const own = "min_quality: 'excellent', thresholds: { done: 'good', safety: 'excellent' },";
    expect(await outcomeOf(good, configWith(own))).toEqual(['APPROVED', 'completed']);
    expect(await outcomeOf(good, configWith("thresholds: { done: 'excellent' },"))).toEqual([
      ...['REJECTED', 'rejected'],
    ]);
  });

  it('asks a person as the request says, or else the configuration', async () => {
    const asking = configWith("human_review: 'require',");
    expect(await outcomeOf(good, asking)).toEqual(['APPROVED', 'suspended']);
    expect(await outcomeOf(good, asking, { human: 'auto' })).toEqual(['APPROVED', 'completed']);
    expect(await outcomeOf(good, configWith(), { human: 'prompt' })).toEqual([
      ...['APPROVED', 'suspended'],
    ]);
  });

  it('lets code judge what no model does', async () => {
    const { result } = await ended('export const key = () => eval(text);\n', open);
    expect(result.decision).toBe('REJECTED');
    expect(result.run.review?.assessments.some(({ criterion }) => criterion === 'changes')).toBe(
      true,
    );
    const closed = await ended('export const key = () => eval(text);\n');
    expect(closed.result.decision).toBe('APPROVED');
  });

  it('pays for no equal verdict of a session twice, unless it is asked again; all are kept [RV-36, R3-039]', async () => {
    const place = await storedPlace();
    const first = await storedReview(place, good);
    const cached = await storedReview(place, good, { sessionId: first.request.sessionId });
    expect(cached.result.run.review?.reused?.verdicts).toBe(2);
    const again = await storedReview(place, good, {
      sessionId: first.request.sessionId,
      again: true,
    });
    expect(again.result.run.review?.reused).toBeUndefined();
    const elsewhere = await storedReview(place, good, { sessionId: 'another' });
    expect(elsewhere.result.run.review?.reused).toBeUndefined();
    expect(await listReviews(place.store.files)).toHaveLength(4);
    expect(readFileSync('docs/cli.md', 'utf8')).toContain('under this name are not asked again');
  });
});

/** The id of no process: above the highest that a system gives. */
const deadPid = 2 ** 30;

it.each([[[]], [['--again']]])(
  'a review of a diff whose process was killed is told with the command that runs it again, and pays for no verdict twice %j [R2-028]',
  async (more) => {
    const server = await judgeServer(faults);
    const { cwd } = repositoryWith(goodCode);
    const model = ['--provider', 'openai:served', '--base-url', server.url];
    const argv = ['review', 'src', '--diff', '--task', 'TASK.md', '-q', ...model, ...more];
    expect(await runCli(cwd, argv)).toMatchObject({ code: 0 });
    const { runs } = JSON.parse((await runCli(cwd, ['runs', '--json'])).out) as {
      runs: { runId: string }[];
    };
    const id = runs[0]?.runId ?? '';
    const folder = join(cwd, '.reviewloop/runs', id);
    for (const name of ['review.json', 'summary.json', 'summary.md'])
      rmSync(join(folder, name), { force: true });
    const request = join(folder, 'request.json');
    const running = await runCli(cwd, ['show', id]);
    expect(running.err).toMatch(/is still running.*\[run_busy\]/);
    const stored = JSON.parse(readFileSync(request, 'utf8')) as { process: { pid: number } };
    stored.process.pid = deadPid;
    writeFileSync(request, JSON.stringify(stored));
    const command = `reviewloop review src --task TASK.md --provider openai:served --base-url ${server.url} --quiet --diff --session ${id.slice(0, 13)}`;
    for (const look of [
      ['show', id],
      ['runs', id],
      ['runs', '--summary', id],
      ['answer', id, 'approve'],
    ])
      expect((await runCli(cwd, look)).err).toContain(`was interrupted; run it again: ${command}`);
    expect((await runCli(cwd, ['runs'])).out).toMatch(/interrupted/);
    expect((await runCli(cwd, ['history'])).out).toMatch(/interrupted/);
    const asked = server.prompts.length;
    expect(await runCli(cwd, command.split(' ').slice(1))).toMatchObject({ code: 0 });
    expect(server.prompts).toHaveLength(asked);
  },
);

it('a review warns of files in two versions, unless it is to be quiet', async () => {
  const place = placeWith(good);
  place.git('add', 'a.js');
  place.write('a.js', `${good}// more\n`);
  const warning = expect.stringMatching(/another version .*: a\.js; this review/) as string;
  expect(await reviewed(place, { quiet: false })).toMatchObject({ err: warning });
  expect((await reviewed(place)).err).toBe('');
});

it('the warning names the version that is seen, and five files', async () => {
  const { cwd, git, write, commit } = newRepository();
  write('kept.js', 'one\n');
  commit('first');
  const warned = async (more: object = {}): Promise<string> => {
    const { io, written } = streams(cwd);
    await warnAboutVersions(io, { ...settings, ...more });
    return written.err;
  };
  expect(await warned()).toBe('');
  for (const name of ['1', '2', '3', '4', '5', '6', '7']) write(`${name}.js`, 'staged\n');
  git('add', '-A');
  expect(await warned()).toBe('');
  write('1.js', 'changed\n');
  expect(await warned()).toBe(
    'warning: 1 file staged in another version than in the folder: 1.js; this review sees the one in the folder; --staged reviews the other\n',
  );
  expect(await warned({ diff: undefined, staged: true })).toMatch(
    /: 1\.js; this review sees the staged one\n$/,
  );
  expect(await warned({ diff: 'HEAD..HEAD' })).toBe('');
  expect(await warned({ paths: ['2.js'] })).toBe('');
  for (const name of ['2', '3', '4', '5', '6', '7']) write(`${name}.js`, 'changed\n');
  expect(await warned()).toMatch(
    /^warning: 7 files .*: 1\.js, 2\.js, 3\.js, 4\.js, 5\.js and 2 more;/,
  );
});
