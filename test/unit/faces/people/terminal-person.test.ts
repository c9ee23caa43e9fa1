import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HumanAnswer, HumanAnswerKind, HumanRequest } from '@/core/human.js';
import { type TerminalPersonOptions, terminalPerson } from '@/faces/people/terminal-person.js';
import type { HumanTexts } from '@/ports/human-gate.js';
import { screen as newScreen, type Screen } from '../../../support/screen.js';

const everything: readonly HumanAnswerKind[] = ['approve', 'reject', 'revise', 'skip', 'override'];
const request = (more: Partial<HumanRequest> = {}): HumanRequest => ({
  id: 'id',
  runId: 'run',
  digest: 'd',
  question: 'Do you?',
  gaps: [],
  allowed: everything,
  approved: true,
  ...more,
});
const gap = {
  id: 'g',
  severity: 'major',
  category: 'incorrect',
  description: 'x',
  suggestedFix: 'y',
} as never;

interface Asked extends Screen {
  readonly answer: Promise<HumanAnswer | undefined>;
}

function screen(
  options: Partial<TerminalPersonOptions> = {},
  {
    texts,
    asked = request(),
    signal,
  }: { texts?: HumanTexts; asked?: HumanRequest; signal?: AbortSignal } = {},
): Asked {
  const at = newScreen();
  return {
    ...at,
    answer: terminalPerson({ by: 'Ada', input: at.input, output: at.output, ...options }).ask(
      asked,
      texts,
      { signal },
    ),
  };
}

beforeEach(() => {
  vi.stubEnv('TERM', 'xterm');
  vi.stubEnv('NO_COLOR', undefined);
});
afterEach(() => void vi.unstubAllEnvs());

describe('terminalPerson, on a terminal without colours [R2-085, R2-136]', () => {
  it.each([
    ['NO_COLOR', '1', 'menu'],
    ['TERM', 'dumb', 'menu'],
    ['NO_COLOR', '1', 'key'],
    ['TERM', 'dumb', 'key'],
    ['TERM', 'dumb', 'line'],
  ] as const)(
    '%s=%s, as a %s: asks by lines, without escape sequences [R2-085, R2-136]',
    async (name, value, mode) => {
      vi.stubEnv(name, value);
      const { type, answer, text } = screen(
        { mode, reasons: 'needed' },
        { texts: { assessment: '[CRITICAL] x' } },
      );
      await type('[a]pprove', '\n');
      await type('Invalid choice. Use: a, r, f, s, or o; q to decide later', 'override\n');
      await type('Reason for override:', '\n');
      await type('This needs a reason.', 'legal has checked it\n');
      expect(await answer).toEqual({ kind: 'override', by: 'Ada', reason: 'legal has checked it' });
      expect(text()).not.toContain('\u001b');
    },
  );

  it('leaves at the end of the input', async () => {
    vi.stubEnv('TERM', 'dumb');
    const { answer, input } = screen({ mode: 'key' });
    input.end();
    expect(await answer).toBeUndefined();
  });
});

describe('terminalPerson, by a single key', () => {
  it.each([
    ['a', { kind: 'approve', by: 'Ada' }],
    ['r', { kind: 'reject', by: 'Ada' }],
    ['f', { kind: 'revise', by: 'Ada', note: 'the findings' }],
    ['s', { kind: 'skip', by: 'Ada' }],
  ])('%s', async (key, expected) => {
    const { type, answer } = screen({ mode: 'key' }, { texts: { note: 'the findings' } });
    await type('Do you?', key);
    if (key === 'r') await type('Reason (optional):', '\r');
    expect(await answer).toEqual(expected);
  });

  it('Enter and keys that mean nothing do nothing, and show no answer; a rejection is asked why [R2-072, R3-092]', async () => {
    const { type, answer, text } = screen({ mode: 'key' });
    await type('Do you?', 'x');
    await type('', '\r');
    await type('', 'r');
    await type('Reason (optional):', 'too long\r');
    expect(await answer).toEqual({ kind: 'reject', by: 'Ada', reason: 'too long' });
    expect(text().match(/Do you\?/g)).toHaveLength(2);
  });

  it('asks for what must be said: the reason of an override, the note of a revision', async () => {
    const override = screen({ mode: 'key' });
    await override.type('Do you?', 'o');
    await override.type('Reason for override:', '   \r');
    await override.type('This needs a reason.', 'legal \u001b[31mchecked\u202e it\r');
    expect(await override.answer).toMatchObject({
      kind: 'override',
      by: 'Ada',
      reason: expect.stringContaining('legal'),
    });
    const revise = screen({ mode: 'key' });
    await revise.type('Do you?', 'f');
    await revise.type('What to change:', 'name the price\r');
    expect(await revise.answer).toEqual({ kind: 'revise', by: 'Ada', note: 'name the price' });
    const approve = screen({ mode: 'key' }, { asked: request({ approved: false, gaps: [gap] }) });
    await approve.type('Do you?', 'a');
    await approve.type('Reason for override:', 'known\r');
    expect(await approve.answer).toEqual({ kind: 'approve', by: 'Ada', reason: 'known' });
  });

  it('offers only what the question allows', async () => {
    const { type, answer, text } = screen(
      { mode: 'key' },
      { asked: request({ allowed: ['reject'] }) },
    );
    await type('Do you?', 'a');
    await type('', 'r');
    await type('Reason (optional):', '\r');
    expect(await answer).toEqual({ kind: 'reject', by: 'Ada' });
    expect(text()).not.toContain('approve');
  });
});

describe('terminalPerson, by a line', () => {
  it.each([
    ['approve', 'approve'],
    [' A ', 'approve'],
    ['REJECT', 'reject'],
    ['fix-and-retry', 'revise'],
    ['skip', 'skip'],
  ])('%j', async (typed, kind) => {
    const { type, answer } = screen({ mode: 'line' }, { texts: { note: 'n' } });
    await type('[a]pprove  [r]eject', `${typed}\r`);
    if (kind === 'reject') await type('Reason (optional):', '\r');
    expect(await answer).toMatchObject({ kind });
  });

  it('says what may be typed after what means nothing, in a field of its own, and shows changes and details on demand [R3-094]', async () => {
    const { type, answer, text } = screen(
      { mode: 'line' },
      {
        texts: {
          title: 'Review: 1 — x',
          summary: 'SUMMARY',
          assessment: 'LEVEL',
          changes: 'CHANGES',
          details: 'DETAILS',
        },
      },
    );
    await type('[a]pprove', 'maybe\r');
    await type('Invalid choice. Use: a, r, f, s, o, v, or d; q to decide later', 'v\r');
    await type('CHANGES', 'details\r');
    await type('DETAILS', 'reject\r');
    await type('Reason (optional):', '\r');
    expect(await answer).toEqual({ kind: 'reject', by: 'Ada' });
    expect(text()).toMatch(/═{50}\nReview: 1 — x\n═{50}\nSUMMARY\nLEVEL\n/);
  });
});

it('shows the ends of changes that are too long for a screen [R2-091]', async () => {
  const changes = `FIRST ${'x'.repeat(2_000_000)} LAST`;
  const { type, answer, text } = screen({ mode: 'line' }, { texts: { changes } });
  await type('[a]pprove', 'v\r');
  await type('characters left out', 'reject\r');
  await type('Reason (optional):', '\r');
  expect(await answer).toEqual({ kind: 'reject', by: 'Ada' });
  expect(text()).toMatch(
    /FIRST x+[\s\S]*\[\.\.\. \d+ of 2000011 characters left out \.\.\.\][\s\S]* LAST/,
  );
  expect(text().length).toBeLessThan(100_000);
});

describe('terminalPerson, by a menu', () => {
  it('takes no stray Enter for an answer', async () => {
    const { type, answer } = screen();
    await type('Do you?', '\r');
    expect(await answer).toBeUndefined();
  });

  it('goes up and down, and takes a reason that may be left out', async () => {
    const { type, answer } = screen({}, { asked: request({ allowed: ['approve', 'reject'] }) });
    await type('decide later', '\u001b[A');
    await type('', '\r');
    await type('Reason', '\r');
    expect(await answer).toEqual({ kind: 'reject', by: 'Ada' });
  });
});

describe('no answer, and never an approval', () => {
  it.each([
    ['Ctrl-C', '\u0003'],
    ['Escape', '\u001b'],
    ['Ctrl-D', '\u0004'],
  ])('%s', async (_name, key) => {
    for (const mode of ['menu', 'key', 'line'] as const) {
      const { type, answer } = screen({ mode });
      await type('Do you?', key);
      expect(await answer, mode).toBeUndefined();
    }
  });

  it('the end of input, also while a reason is asked for; a signal; a terminal that closes or fails', async () => {
    for (const mode of ['menu', 'key', 'line'] as const) {
      const ended = screen({ mode });
      await ended.type('Do you?', '');
      ended.input.end();
      expect(await ended.answer, mode).toBeUndefined();
    }
    const reason = screen({ mode: 'key' });
    await reason.type('Do you?', 'o');
    await reason.type('Reason for override:', 'half a rea');
    reason.input.end();
    expect(await reason.answer).toBeUndefined();
    const controller = new AbortController();
    const aborted = screen({}, { signal: controller.signal });
    await aborted.type('Do you?', '');
    controller.abort();
    expect(await aborted.answer).toBeUndefined();
    expect(await screen({}, { signal: AbortSignal.abort() }).answer).toBeUndefined();
    const failed = screen({ mode: 'key' });
    await failed.type('Do you?', '');
    failed.input.destroy(new Error('EIO'));
    expect(await failed.answer).toBeUndefined();
  });

  it('no terminal on either side', async () => {
    const input = new PassThrough();
    input.end('a\n');
    const output = Object.assign(new PassThrough(), { isTTY: true });
    expect(await terminalPerson({ by: 'Ada', input, output }).ask(request())).toBeUndefined();
    expect(output.readableLength).toBe(0);
    const tty = Object.assign(new PassThrough(), { isTTY: true });
    expect(
      await terminalPerson({ by: 'Ada', input: tty, output: new PassThrough() }).ask(request()),
    ).toBeUndefined();
  });
});

it.each([
  [{ by: ' ' }, '`by`'],
  [{ mode: 'mouse' }, '`mode`'],
  [{ reasons: 'never' }, '`reasons`'],
  [{ input: { isTTY: true, pause: () => {} } }, '`input` to be a readable stream of Node'],
  [{ output: { isTTY: true, write: () => {} } }, '`output` to be a writable stream of Node'],
] as const)('refuses %o before anybody is asked', (options, told) => {
  const given = { by: 'Ada', ...options } as TerminalPersonOptions;
  expect(() => terminalPerson(given)).toThrow(told);
});

describe('open questions', () => {
  const asked = request({
    allowed: ['decide', 'reject'],
    undecided: ['tone', 'colour', 'size'].map((criterion) => ({
      criterion,
      question: `Is ${criterion} right?`,
      reason: 'it needs eyes',
    })),
  });

  it('are asked one by one; nothing leaves one open', async () => {
    const { type, answer } = screen({ mode: 'line' }, { asked });
    await type('[y]', 'decide\r');
    await type('Is tone right? (it needs eyes)', 'yes\r');
    await type('Is colour right?', 'perhaps\r');
    await type('Type yes or no, or nothing.', '\u0015N\r');
    await type('Is size right?', '\r');
    expect(await answer).toEqual({
      kind: 'decide',
      by: 'Ada',
      decisions: { tone: 'yes', colour: 'no' },
    });
  });

  it('answered with yes approve too, where they may; a wish is not asked [R3-078]', async () => {
    const wish = { criterion: 'wish', question: 'Is it short?', reason: '', mandatory: false };
    for (const [size, approve] of [
      ['yes', { approve: true }],
      ['', {}],
    ] as const) {
      const { type, answer } = screen(
        { mode: 'line' },
        { asked: { ...asked, approves: true, undecided: [...(asked.undecided ?? []), wish] } },
      );
      await type('[y]', 'decide\r');
      await type('Yes to all of them approves this version, in your name.', 'yes\r');
      await type('Is colour right?', 'yes\r');
      await type('Is size right?', `${size}\r`);
      const decisions = { tone: 'yes', colour: 'yes', ...(size !== '' && { size }) };
      expect(await answer).toEqual({ kind: 'decide', by: 'Ada', decisions, ...approve });
    }
  });

  it('that all stay open are no answer', async () => {
    const { type, answer } = screen({ mode: 'line' }, { asked });
    await type('[y]', 'y\r');
    for (const criterion of ['tone', 'colour', 'size']) await type(`Is ${criterion} right?`, '\r');
    expect(await answer).toBeUndefined();
  });
});

it('what is shown has no control, escape or bidi characters of the texts (D003-18)', async () => {
  const evil = 'ok\u001b[2J\u001b]0;pwned\u0007\r\b\u202eevil\u0000\u009b31m';
  const { type, answer, text } = screen(
    { mode: 'line' },
    {
      asked: request({ question: `Q ${evil}` }),
      texts: { title: evil, summary: evil, assessment: evil, changes: evil, details: evil },
    },
  );
  await type('[a]pprove', 'v\r');
  await type('okevil', 'd\r');
  await type('okevil', 'r\r');
  await type('Reason (optional):', '\r');
  expect(await answer).toEqual({ kind: 'reject', by: 'Ada' });
  for (const bad of ['\u202e', '\u0000', '\u009b', '\u0007', 'pwned', '\u001b[2J'])
    expect(text()).not.toContain(bad);
});

it('options are checked', () => {
  for (const options of [
    { by: '' },
    { by: 'x', mode: 'other' },
    { by: 'x', reasons: 'never' },
    { by: 'x', nope: 1 },
  ])
    expect(() => terminalPerson(options as never)).toThrow(/expected|no option/);
});
