import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configWith } from './stage-place.js';
import { storedPlace, storedReview } from './stored-place.js';

const good = 'export const a = 1;\n';
const poor = '// FIXME\n';
const broken = '// BREAK\n';
const open = configWith().replace('safety: false', 'safety: true');

/** The end of a review with this configuration. */
const ended = async (
  code: string,
  config = configWith(),
  more: Parameters<typeof storedReview>[2] = {},
) => storedReview(await storedPlace(config), code, more);

describe('the last lines of a review', () => {
  it('say that it is done, where it is stored, and how to read it', async () => {
    const { out, request } = await ended(good);
    expect(out.split('\n')).toEqual([
      ...['', '  Decision: APPROVED', '', '[COMPLETE] Task finished successfully', ''],
      ...['status: approved', `stored: .reviewloop/runs/${request.runId}`],
      ...[expect.stringMatching(/^next: reviewloop summary \S+$/), ''],
    ]);
  });

  it('offer an override of what was rejected', async () => {
    const { out } = await ended(poor);
    expect(out).toContain(
      '  Feedback:\n  - a.js:1: there is a FIXME -> remove it\n\nstatus: exhausted\n',
    );
    expect(out).toMatch(/\nnext: reviewloop override \S+ --reason "\.\.\."\n$/);
  });

  it('ask failed judges again, where the command can be repeated', async () => {
    const { out, request } = await ended(broken);
    expect(out).toContain('\nstatus: inconclusive (ACODE-REVIEW-002)\n');
    expect(out).toContain(
      `\nnext: reviewloop review --diff --session ${request.sessionId} # asks the failed judges again\n  or: reviewloop override `,
    );
    expect((await ended(broken, configWith(), { repeats: false })).out).toMatch(
      /\nnext: reviewloop override \S+ --reason "\.\.\."\n$/,
    );
  });

  it('name what is open, and who can decide it', async () => {
    const { out } = await ended(good, open, { hasModel: false });
    expect(out).toMatch(/\nchecks: .*\nundecided: safety\n\nstatus: inconclusive/);
    expect(out).toMatch(
      /\nnext: reviewloop answer \S+ decide safety=yes\n {2}or: reviewloop review --diff --provider ollama:MODEL # a model decides\n {2}or: reviewloop override \S+ --reason "\.\.\."\n$/,
    );
    expect((await ended(good, open)).out).not.toContain('ollama');
    const rejected = await ended(poor, open);
    expect(rejected.out).toMatch(
      /\nnext: reviewloop review --diff # after you fixed the issues\n {2}or: reviewloop answer \S+ decide safety=yes\n {2}or: reviewloop override/,
    );
    expect((await ended(poor, open, { repeats: false })).out).toMatch(
      /\nnext: reviewloop answer \S+ decide safety=yes\n {2}or: reviewloop override/,
    );
  });

  it('name the answer that is waited for', async () => {
    expect((await ended(good, configWith(), { human: 'require' })).out).toMatch(
      /\nstatus: suspended\n.*\nnext: reviewloop answer \S+ approve\n$/,
    );
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

  it('are an object for programs, and Markdown for an agent', async () => {
    const { out, request } = await ended(poor, configWith(), { format: 'json' });
    expect(JSON.parse(out)).toMatchObject({
      ...{ schemaVersion: 1, runId: request.runId, status: 'exhausted', decision: 'REJECTED' },
      ...{ outcome: 'rejected', cycles: 0, code: null, exitCode: 50, requests: [], undecided: [] },
      ...{ reasoning: 'done is poor', feedback: { issues: [{ where: 'a.js:1' }] } },
      ...{
        summary: { levels: { done: 'poor' } },
        next: expect.stringContaining('override') as string,
      },
    });
    const waiting = await ended(good, configWith(), { format: 'json', human: 'require' });
    expect(JSON.parse(waiting.out)).toMatchObject({
      ...{
        feedback: null,
        requests: [{ allowed: expect.arrayContaining(['approve']) as string[] }],
      },
    });
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

  it('pays for no equal verdict twice, unless it is asked again', async () => {
    const place = await storedPlace();
    const first = await storedReview(place, good);
    const cached = await storedReview(place, good, { sessionId: first.request.sessionId });
    expect(cached.result.run.review?.reused?.verdicts).toBe(1);
    const again = await storedReview(place, good, {
      ...{ sessionId: first.request.sessionId, again: true },
    });
    expect(again.result.run.review?.reused).toBeUndefined();
  });

  it('logs beside its run, and stores the report of its files', async () => {
    const place = await storedPlace();
    const { request } = await storedReview(place, good);
    const read = (name: string): string =>
      readFileSync(join(place.store, 'runs', request.runId, name), 'utf8');
    expect(read('log.jsonl')).toContain('review_decision');
    expect(JSON.parse(read('review.json'))).toMatchObject({
      ...{ pipeline: 'reviewer-stage', exitCode: 0, task: { source: 'TASK.md' }, at: request.at },
      ...{ criteria: { chosen: ['done'], names: { done: 'Done' } }, notReviewed: [] },
      files: [{ path: 'a.js', type: 'code', bytes: good.length }],
    });
    expect(read('summary.md')).toMatch(/^# APPROVED: Add a file\n/);
  });
});
