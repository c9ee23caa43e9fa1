import { describe, expect, it } from 'vitest';
import type { Io } from '@/faces/cli-kit/io.js';
import { askPerson, offerOverride } from '@/faces/commands/reviewer-stage/review-diff.js';
import { sayer } from '@/faces/commands/reviewer-stage/show-end.js';
import { countableFiles } from '@/faces/commands/reviewer-stage/stage-run.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { CompletedWork } from '@/products/reviewer-stage/completed-work.js';
import { ReviewerStage } from '@/products/reviewer-stage/reviewer-stage.js';
import type { ReviewerStageOptions } from '@/products/reviewer-stage/stage-options.js';
import type { StageResult } from '@/products/reviewer-stage/stage-result.js';
import { streams } from '../../../../support/command-streams.js';
import { screen } from '../../../../support/screen.js';
import { good, needsWork, saying, work } from '../../../products/reviewer-stage/support.js';

/** A review whose dimension says this, at a terminal. */
async function reviewed(options: Partial<ReviewerStageOptions> = {}, output: CompletedWork = work) {
  const stage = new ReviewerStage({
    dimensions: [saying('own', good)],
    store: memoryStore(),
    ...options,
  });
  const result = await stage.review(output, { runId: 'r' });
  const at = screen();
  const { io } = streams('/', { terminal: { input: at.input, output: at.output } });
  const lines: string[] = [];
  const say = async (more: readonly string[]): Promise<void> => void lines.push(...more);
  return { stage, result, at, io, lines, terminal: { io, stage, say } };
}
const person = { humanReview: 'require' } as const;
const low = { dimensions: [saying('own', needsWork)] };

describe('a person at the terminal', () => {
  it('reads the changes and the details, and approves', async () => {
    const { result, at, lines, terminal } = await reviewed(person, {
      ...work,
      changedFiles: [
        { path: 'a.ts', status: 'modified', content: 'whole', diff: '-old\n+new' },
        { path: 'b.ts', status: 'new', content: 'one\ntwo' },
        { path: 'c.png', status: 'new', omitted: 'binary', mayBeUnseen: true },
        { path: 'd.ts', status: 'deleted' },
      ],
    });
    const ended = askPerson(result, terminal);
    await at.type('[A]pprove', 'v');
    await at.type('d.ts', 'd');
    await at.type('Consider adding phone validation', 'a');
    expect((await ended).outcome).toBe('completed');
    expect(lines).toEqual(['✓ Approved by user']);
    const text = at.text();
    for (const shown of [
      ...['-old', '+new', 'new b.ts', '+one', '+two', 'new c.png (binary)'],
      'deleted d.ts (no text)',
    ])
      expect(text).toContain(shown);
    expect(text).not.toContain('+whole');
    expect(text).toContain('Own: Good');
  });

  it('declines, or skips', async () => {
    for (const [key, said, outcome] of [
      ['r', '✗ Declined by user', 'declined'],
      ['s', '✓ Answered by user: skip', 'completed'],
    ] as const) {
      const { result, at, lines, terminal } = await reviewed({ humanReview: 'prompt' });
      const ended = askPerson(result, terminal);
      await at.type('[A]pprove', key);
      if (key === 'r') await at.type('Reason (optional):', '\r');
      expect((await ended).outcome).toBe(outcome);
      expect(lines).toEqual([said]);
    }
  });

  it('is asked again about what the planner made of an answer', async () => {
    const { result, at, lines, terminal } = await reviewed({
      ...person,
      replan: async (_, { work: before }) => ({ ...before, notes: ['again'] }),
    });
    const ended = askPerson(result, terminal);
    await at.type('[A]pprove', 'r');
    await at.type('Reason (optional):', '\r');
    await at.type('[A]pprove', 'a');
    expect((await ended).outcome).toBe('completed');
    expect(lines).toEqual(['✗ Declined by user', '✓ Approved by user']);
  });

  it('is not asked without a question or a terminal', async () => {
    const done = await reviewed();
    expect(await askPerson(done.result, done.terminal)).toBe(done.result);
    const waiting = await reviewed(person);
    const { io } = streams('/');
    expect(await askPerson(waiting.result, { ...waiting.terminal, io })).toBe(waiting.result);
    expect([done.at.text(), waiting.at.text()]).toEqual(['', '']);
  });
});

describe('an override at the terminal', () => {
  const offered = async (...keys: readonly string[]) => {
    const given = await reviewed(low);
    const ended = offerOverride(given.result, given.terminal);
    const asks = ['Override review rejection?', 'Reason for override:'];
    for (const [index, key] of keys.entries()) await given.at.type(asks[index] ?? '', key);
    return { ...given, ended: await ended };
  };

  it('needs a yes and a reason', async () => {
    for (const yes of ['y\r', ' YES \r']) {
      const { ended, lines } = await offered(yes, ' legal has checked it \r');
      expect(ended).toMatchObject({
        ...{ outcome: 'overridden', summary: { overrideReason: 'legal has checked it' } },
      });
      expect(lines).toEqual([
        ...['', '⚠ Review rejection overridden', '  Reason: legal has checked it'],
        ...['  Logged for audit', '', '[COMPLETE] Task finished (with override)'],
      ]);
    }
  });

  it('is left with a no, with nothing, and without a reason', async () => {
    for (const keys of [['\r'], ['n\r'], ['NO\r'], ['\u0004'], ['y\r', '\u0004']]) {
      const { ended, result, lines } = await offered(...keys);
      expect(ended, JSON.stringify(keys)).toBe(result);
      expect(lines).toEqual([]);
    }
  });

  it('is offered for work that was rejected only, at a terminal', async () => {
    const approved = await reviewed();
    const declined = await reviewed(person);
    if (declined.result.run.status !== 'suspended') throw new Error('no question');
    const [request] = declined.result.run.requests;
    const ended = await declined.stage.answer(request, { kind: 'reject', by: 'Ada' });
    for (const [result, terminal] of [
      [approved.result, approved.terminal],
      [ended, declined.terminal],
    ] as const)
      expect(await offerOverride(result, terminal)).toBe(result);
    const rejected = await reviewed(low);
    const { io } = streams('/');
    expect(await offerOverride(rejected.result, { ...rejected.terminal, io })).toBe(
      rejected.result,
    );
    for (const { at } of [approved, declined, rejected]) expect(at.text()).toBe('');
  });
});

/** What is printed of these lines. */
async function printed(
  lines: readonly string[],
  format: 'text' | 'json' = 'text',
  more: Partial<Io> = {},
): Promise<string> {
  const out: string[] = [];
  const io = { colours: false, out: async (text: string) => void out.push(text), ...more };
  await sayer(io as unknown as Io, format)(lines);
  return out.join('');
}

it('lines of a review are printed as text for people, with colours for what passed and failed', async () => {
  const lines = ['start', '  ✓ Tests: good', '  ✗ Style: poor', '⚠ cut', '[COMPLETE] done'];
  expect(await printed(lines)).toBe(`${lines.join('\n')}\n`);
  const coloured = (await printed(lines, 'text', { colours: true })).split('\n');
  const start = '\u001b[';
  expect(coloured.map((line) => line.includes(start))).toEqual([
    ...[false, true, true, true, true],
    false,
  ]);
  const codeOf = (line = ''): string => line.slice(0, line.indexOf('m') + 1);
  expect(codeOf(coloured[1])).toBe(codeOf(coloured[4]));
  expect(codeOf(coloured[2])).toBe(codeOf(coloured[3]));
  expect(codeOf(coloured[1])).not.toBe(codeOf(coloured[2]));
  expect(await printed(lines, 'json')).toBe('');
  expect(await printed(lines, 'text', { reader: 'agent' })).toBe('');
});

it('reports count columns in files whose secrets stand where they were', () => {
  const changedFiles = [
    { path: 'a.ts', status: 'new', content: 'text' },
    { path: 'b.ts', status: 'new', content: 'key = "[REDACTED:key]"' },
    { path: 'c.png', status: 'new', omitted: 'binary' },
  ];
  const versions = (run: object): unknown => countableFiles({ run } as unknown as StageResult);
  expect(versions({ version: 'v1', output: { changedFiles } })).toEqual({
    v1: [{ path: 'a.ts', type: 'code', content: 'text' }],
  });
  expect(versions({ version: 'v1' })).toEqual({ v1: [] });
  expect(versions({ output: { changedFiles } })).toEqual({});
});
