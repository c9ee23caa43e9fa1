import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { configWith, placeWith, reviewed } from './stage-place.js';

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
      ...['status: approved', `stored: .reviewloop/runs/${id}`],
      ...[expect.stringMatching(/^next: reviewloop summary \S+$/), ''],
    ]);
  });

  it('names the issues of rejected work, and the ways on', async () => {
    const { code, out } = await reviewed(placeWith(poor));
    expect(code).toBe(50);
    expect(out).toContain('  Feedback:\n  - a.js:1: there is a FIXME -> remove it\n');
    expect(out).toMatch(
      /\nstatus: exhausted\nstored: .*\nnext: reviewloop override \S+ --reason "\.\.\."\n$/,
    );
  });

  it('asks failed judges again, in the same session', async () => {
    const { code, out } = await reviewed(placeWith(broken), { session: 'mine' });
    expect(code).toBe(50);
    expect(out).toMatch(/the judge is broken/);
    expect(out).toMatch(
      /\nstatus: inconclusive \(ACODE-REVIEW-002\)\n.*\nnext: reviewloop review --diff --session mine # asks the failed judges again\n {2}or: reviewloop override /,
    );
  });

  it('leaves open what no model judged, and says how to decide it', async () => {
    const config = configWith().replace('safety: false', 'safety: true');
    const { code, out } = await reviewed(placeWith(good, config));
    expect(code).toBe(50);
    expect(out).toMatch(/\nchecks: .*\nundecided: safety\n/);
    expect(out).toMatch(
      /\nnext: reviewloop answer \S+ decide safety=yes\n {2}or: reviewloop review --diff --provider ollama:MODEL # a model decides\n {2}or: reviewloop override /,
    );
    const rejected = await reviewed(placeWith(poor, config));
    expect(rejected.out).toMatch(
      /\nnext: reviewloop review --diff # after you fixed the issues\n {2}or: reviewloop answer \S+ decide safety=yes\n/,
    );
  });

  it.each(['prompt', 'require'] as const)('waits for a person: %s', async (human) => {
    const { code, out } = await reviewed(placeWith(good), { human });
    expect(code).toBe(53);
    expect(out).toMatch(/\nstatus: suspended\n.*\nnext: reviewloop answer \S+ approve\n$/);
  });

  it('waits for a person whom the configuration wants, unless a flag does not', async () => {
    expect((await reviewed(placeWith(good, configWith("human_review: 'require',")))).code).toBe(53);
    const auto = placeWith(good, configWith("human_review: 'require',"));
    expect((await reviewed(auto, { human: 'auto' })).code).toBe(0);
  });

  it('is one object for programs, and markdown for an agent', async () => {
    const { out, id } = await reviewed(placeWith(poor), { format: 'json' });
    expect(JSON.parse(out)).toMatchObject({
      ...{ schemaVersion: 1, runId: id, status: 'exhausted', decision: 'REJECTED', cycles: 0 },
      ...{ outcome: 'rejected', code: null, exitCode: 50, requests: [], undecided: [] },
      feedback: { issues: [{ dimension: 'done', where: 'a.js:1' }] },
      summary: { goal: 'Add a file', levels: { done: 'poor' } },
      next: expect.stringMatching(/^reviewloop override/) as string,
    });
    const approved = await reviewed(placeWith(good), { format: 'json' });
    expect(JSON.parse(approved.out)).toMatchObject({ feedback: null, exitCode: 0 });
    const agent = await reviewed(placeWith(good), {}, { reader: 'agent' });
    expect(agent.out).not.toContain('[REVIEWER]');
    expect(agent.out).toContain('reviewloop summary');
  });

  it('names what was not reviewed in full, the first ten files', async () => {
    const place = placeWith(good, configWith("allow_unseen: ['.bin'],"));
    for (let index = 0; index < 12; index += 1)
      place.write(`${String(index).padStart(2, '0')}.bin`, Buffer.from([0, 1, 2]));
    const { code, out } = await reviewed(place);
    expect(code).toBe(0);
    expect(out).toMatch(
      /\nnot reviewed in full: 00\.bin \(binary\), .*, 09\.bin \(binary\) and 2 more\n/,
    );
    expect((await reviewed(placeWith(good))).out).not.toContain('not reviewed');
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

  it('has a session of its own where none is named', async () => {
    const { store, id } = await reviewed(placeWith(good), { config: undefined });
    expect(storedJson(store, id, 'request.json')).toMatchObject({ sessionId: id.slice(0, 13) });
  });

  it('is the range or the stage that was asked for', async () => {
    const place = placeWith(good);
    place.git('add', 'a.js');
    const staged = await reviewed(place, { diff: undefined, staged: true });
    expect(storedJson(staged.store, staged.id, 'request.json')).toMatchObject({
      diff: { kind: 'staged' },
    });
    place.git('commit', '-qm', 'a');
    const range = await reviewed(place, { diff: 'HEAD~1..HEAD' });
    expect(storedJson(range.store, range.id, 'request.json')).toMatchObject({
      diff: { kind: 'range', range: 'HEAD~1..HEAD' },
    });
    const since = await reviewed(place, { diff: 'HEAD~1' });
    expect(storedJson(since.store, since.id, 'request.json')).toMatchObject({
      diff: { kind: 'working-tree', base: place.git('rev-parse', 'HEAD~1') },
    });
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

  it('are the reports that are asked for', async () => {
    const place = placeWith(poor);
    await reviewed(place, { report: ['sarif=out.sarif'] });
    expect(readFileSync(join(place.cwd, 'out.sarif'), 'utf8')).toContain('there is a FIXME');
    expect(existsSync(join(place.cwd, 'out.html'))).toBe(false);
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

  it('are thresholds of enabled dimensions, and the lowest quality', async () => {
    const strict = configWith("thresholds: { done: 'excellent', safety: 'excellent' },");
    expect((await reviewed(placeWith(good, strict))).out).toContain('done is good');
    expect((await reviewed(placeWith(good, configWith("min_quality: 'excellent',")))).code).toBe(
      50,
    );
    const lenient = configWith("min_quality: 'excellent', thresholds: { done: 'good' },");
    expect((await reviewed(placeWith(good, lenient))).code).toBe(0);
  });

  it('is a planner, which changes the files and is told what is wrong', async () => {
    const config = configWith(
      'replan: \'cat > .git/told.txt; echo "$REVIEWLOOP_CYCLE" >> .git/told.txt; echo fine > a.js; echo a new plan\',',
    );
    const place = placeWith(poor, config);
    const { code, out, store, id } = await reviewed(place);
    expect(code).toBe(0);
    expect(out).toMatch(
      /\[ORCHESTRATOR\] Cycling to Planner for revision\n {2}Feedback: "remove it"/,
    );
    expect(readFileSync(join(place.cwd, '.git/told.txt'), 'utf8')).toMatch(
      /there is a FIXME[\s\S]*1\n$/,
    );
    expect(storedJson(store, id, 'summary.json')).toMatchObject({
      ...{ cycles: 1, cycleTriggers: [['done']], decision: 'APPROVED' },
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

  it('are files in two versions, of which it warns', async () => {
    const place = placeWith(good);
    place.git('add', 'a.js');
    place.write('a.js', `${good}// more\n`);
    const warned = async (more: object) => (await reviewed(place, { quiet: false, ...more })).err;
    expect(await warned({})).toMatch(
      /1 file staged in another version .*: a\.js; this review sees the one in the folder; --staged/,
    );
    expect(await warned({ diff: undefined, staged: true })).toMatch(/sees the staged one/);
    expect(await warned({ quiet: true })).not.toContain('another version');
    for (let index = 0; index < 7; index += 1) place.write(`${index}.js`, 'staged\n');
    place.git('add', '-A');
    for (let index = 0; index < 7; index += 1) place.write(`${index}.js`, 'changed\n');
    expect(await warned({})).toMatch(
      /7 files staged .*: 0\.js, 1\.js, 2\.js, 3\.js, 4\.js and 2 more;/,
    );
    place.commit('all');
    expect(await warned({ diff: 'HEAD~1..HEAD' })).not.toContain('another version');
  });
});
