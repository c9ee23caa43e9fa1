import { PassThrough, Writable } from 'node:stream';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { claudeCommand } from '@/adapters/providers/cli/claude-command.js';
import { cliProvider } from '@/adapters/providers/cli/cli-provider.js';
import { ReviewLoopError } from '@/core/errors.js';
import { errorCodes } from '@/errors.js';
import { exitCodeOfError } from '@/faces/cli-kit/exit-codes.js';
import { onlyChecksPassed } from '@/faces/cli-kit/outcome-exit-code.js';
import { processIo } from '@/faces/cli-kit/process-io.js';
import { errorText } from '@/faces/cli-kit/show/error-text.js';
import { storePlace } from '@/faces/cli-kit/store-handle.js';
import type { RunReport } from '@/faces/reports/run-report.js';
import { playTerminal } from '../../../../scripts/terminal-picture/terminal-cells.mjs';
import { expectCode, words } from '../../../support/matchers.js';
import { madeReport } from '../../../support/report-runs.js';

/** The codes for which a command exits with 2. Scripts rely on them: a change is a breaking one. */
const exitWith2 = [
  ...words(
    'already_exists approval_open answer_invalid answer_not_allowed checklist_exists config_invalid',
  ),
  ...words('attestation_invalid key_invalid not_attestable'),
  ...words('config_unreadable decision_stale decision_unknown diff_too_large duplicate_id'),
  ...words('event_unreadable file_too_large file_unreadable gate_files_changed gate_no_runner'),
  ...words('gate_message_too_large gate_nothing_to_review gate_output_invalid gate_state_invalid'),
  ...words('gate_session_verified gate_step_unknown invalid_options labels_invalid no_artifacts'),
  ...words(
    'no_reviewers not_a_repository nothing_to_review output_invalid no_version path_outside',
  ),
  ...words('override_stale person_required peer_missing provider_missing provider_not_ready'),
  ...words('reason_required request_answered request_expired request_stale request_unknown usage'),
  ...words('requirements_invalid revision_unknown run_elsewhere run_unknown store_differs'),
  ...words(
    'task_cycle task_empty task_invalid task_missing task_too_long task_unknown tasks_invalid',
  ),
  'too_many_files',
];

const ended = madeReport();
const question = {
  criterion: 'clarity',
  verdict: 'undecided' as const,
  text: 'no model was asked',
};
const counts = { passed: 3, failed: 0, errored: 0, undecided: 1, skipped: 2 };
const cannotPass: [name: string, more: Partial<RunReport>][] = [
  ['is approved', { status: 'approved' }],
  ['was rejected', { status: 'rejected' }],
  ['is not counted', { counts: undefined }],
  ['passed no check', { counts: { ...counts, passed: 0 } }],
  ['failed a check', { counts: { ...counts, failed: 1 } }],
  ['has a judge that failed', { counts: { ...counts, errored: 1 } }],
  ['has a failure that is not counted', { failures: [question] }],
  ['has no open question', { undecided: [] }],
  ['has an open gap', { gaps: ended.gaps.slice(0, 1) }],
  ['has a file that was cut', { notReviewed: [{ path: 'a.js', reason: 'cut' }] }],
  ['has a file that is no text', { notReviewed: [{ path: 'a.js', reason: 'not UTF-8' }] }],
];

describe('a run whose checks passed, and whose rest nobody judged', () => {
  const partial = { status: 'inconclusive', counts, gaps: [], failures: [], undecided: [question] };
  const picture = [{ path: 'a.png', reason: 'binary' }];
  const passes = (more: Partial<RunReport>): boolean =>
    onlyChecksPassed({ ...ended, ...partial, notReviewed: picture, ...more });

  it('is known, beside a picture too [R3-070]', () => {
    expect([passes({}), passes({ notReviewed: [] })]).toEqual([true, true]);
  });

  it.each(cannotPass)('is none that %s [R3-070]', (_, more) => {
    expect(passes(more)).toBe(false);
  });
});

describe('the exit code of an error', () => {
  it.each(Object.values(errorCodes))('follows from the kind of $code, which is $kind', (entry) => {
    const expected = exitWith2.includes(entry.code) ? 2 : entry.code === 'cancelled' ? 130 : 1;
    expect(exitCodeOfError(new ReviewLoopError(entry, 'it happened'))).toBe(expected);
  });

  it('is listed for no code that is unknown', () => {
    expect(exitWith2.filter((code) => !(code in errorCodes))).toEqual([]);
  });

  it('is 1 for an error of somebody else', () => {
    expect(exitCodeOfError(new Error('x'))).toBe(1);
    expect(exitCodeOfError('x')).toBe(1);
  });
});

/** Names of options of the library, of which the command line has none. */
const optionOfLibrary =
  /`(?!reviewloop|git |diff |checklist |provider` in|criteria` in)[a-z]+([A-Z]\w*|\.\w+|\[\])|`(value|scope|signal|ignore|output|by|quorum|cli)`/;

/** Codes of the library's own format, which the command line reads as data of the user. */
const ofData = [
  'gate_output_invalid',
  'gate_result_invalid',
  'labels_invalid',
  'criterion_contradiction',
];

describe('the advice of an error on the command line [R2-110]', () => {
  const codes = Object.values(errorCodes).filter(
    ({ code, kind }) => kind !== 'bug' && !ofData.includes(code),
  );

  it.each(codes.map((entry) => [entry.code, entry] as const))(
    '%s names no option of the library',
    (_, entry) => {
      expect(errorText(new ReviewLoopError(entry, 'it happened'))).not.toMatch(optionOfLibrary);
    },
  );

  it('says what happened first, also for other errors', () => {
    expect(errorText(new ReviewLoopError('provider_missing', 'x asks a model.'))).toBe(
      'x asks a model. Pass --provider, or set it in the configuration.',
    );
    expect(errorText(new Error('broken'))).toBe('broken');
    expect(errorText('text')).toBe('text');
  });
});

describe('what a program that asks a model says [R2-110]', () => {
  const failing = (script: string) =>
    cliProvider({
      command: {
        ...claudeCommand(),
        executable: process.execPath,
        plan: () => ({ args: ['-e', script], input: '' }),
      },
    }).generate({
      messages: [{ role: 'user', content: 'x' }],
      signal: new AbortController().signal,
    });

  it('an account without credit is no matter of the address', async () => {
    const result = { type: 'result', is_error: true, result: 'Credit balance is too low' };
    const said = `console.log(${JSON.stringify(JSON.stringify(result))})`;
    await expect(failing(said)).rejects.toMatchObject({
      code: 'provider_refused_request',
      message: expect.not.stringContaining('Check the address'),
    });
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const { signal } = new AbortController();

function broken(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, callback) => callback(Object.assign(new Error(code), { code })),
  });
}

const streams = (more: Partial<Parameters<typeof processIo>[1]> = {}) => ({
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  ...more,
});

describe('the streams of a process [R2-068]', () => {
  test('terminals have columns, and colours unless they are unwanted', async () => {
    vi.stubEnv('CI', undefined);
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 77 });
    const io = await processIo(signal, streams({ stdout: terminal, stderr: terminal }));
    expect([io.outColumns, io.errColumns]).toEqual([77, 77]);
    const plain = await processIo(signal, streams());
    expect([plain.outColumns, plain.errColumns, plain.colours]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });

  test('a terminal of 0 columns has an unknown width [R2-079]', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 0 });
    const io = await processIo(signal, streams({ stdout: terminal, stderr: terminal }));
    expect([io.outColumns, io.errColumns]).toEqual([undefined, undefined]);
  });

  test('results and messages never share a line with progress [R2-080]', async () => {
    vi.stubEnv('CI', undefined);
    vi.stubEnv('TERM', 'xterm');
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
    const io = await processIo(signal, streams({ stdout: terminal, stderr: terminal }));
    io.live?.show(() => ['1 s  review 1', 'a judge']);
    await io.out('the report\n');
    io.live?.show(() => ['2 s  review 1', 'a judge with a name that is wider than the terminal']);
    io.err('warning\n');
    io.live?.hide();
    const { lines, isCursorShown } = playTerminal(
      String(terminal.read()).replace(/\r?\n/g, '\r\n'),
      40,
    );
    expect(lines).toEqual(['the report', 'warning', '']);
    expect(isCursorShown).toBe(true);
    vi.unstubAllEnvs();
  });

  test.each([
    ['true', true],
    ['1', true],
    ['', false],
    ['false', false],
  ])('with CI=%j nobody is asked: %s [R2-068]', async (value, silent) => {
    vi.stubEnv('CI', value);
    vi.stubEnv('NO_COLOR', undefined);
    const before = [process.stdin.isTTY, process.stdout.isTTY];
    Object.assign(process.stdin, { isTTY: true });
    Object.assign(process.stdout, { isTTY: true });
    try {
      expect((await processIo(signal)).terminal === undefined).toBe(silent);
    } finally {
      Object.assign(process.stdin, { isTTY: before[0] });
      Object.assign(process.stdout, { isTTY: before[1] });
      vi.unstubAllEnvs();
    }
  });

  test('a pipe that nobody reads is no error, anything else is', async () => {
    const closed = await processIo(signal, streams({ stdout: broken('EPIPE') }));
    await closed.out('x');
    await closed.out('y');
    const full = await processIo(signal, streams({ stdout: broken('ENOSPC') }));
    await expect(full.out('x')).rejects.toMatchObject({ code: 'output_unwritable' });
  });

  test('progress that cannot be written is dropped', async () => {
    (await processIo(signal, streams({ stderr: broken('ENOSPC') }))).err('x');
    await new Promise(setImmediate);
  });

  test('the standard input is read whole, within its bound', async () => {
    const stdin = (...chunks: string[]) =>
      streams({ stdin: PassThrough.from(chunks.map((chunk) => Buffer.from(chunk))) });
    expect(String(await (await processIo(signal, stdin('ab', 'c'))).readStdin(3))).toBe('abc');
    await expectCode((await processIo(signal, stdin('ab', 'c'))).readStdin(2), 'file_too_large');
    const failing = new PassThrough();
    failing.destroy(new Error('gone'));
    await expectCode(
      (await processIo(signal, streams({ stdin: failing }))).readStdin(2),
      'file_unreadable',
    );
  });
});

const address = 'postgres://app:geheim@db.example.com:5433/reviews?sslpassword=geheim';

describe('a store at an address', () => {
  const name = 'PostgreSQL at db.example.com:5433/reviews';

  it('is named without its password, and opened with it', () => {
    const text = 'postgres://app@db.example.com:5433/reviews';
    expect(storePlace(address)).toEqual({ kind: 'postgres', address, name, text });
  });

  it('may be in an environment variable, which printed commands name', () => {
    vi.stubEnv('REVIEWS_DB', `${address}&x=1`);
    expect(storePlace('env:REVIEWS_DB')).toMatchObject({ name, text: 'env:REVIEWS_DB' });
  });

  it('a variable may name a folder or a file, but no other variable', () => {
    vi.stubEnv('PLACE', 'sqlite:runs.db');
    expect(storePlace('env:PLACE')).toEqual({ kind: 'sqlite', file: 'runs.db' });
    vi.stubEnv('PLACE', 'env:OTHER');
    expect(() => storePlace('env:PLACE')).toThrow(/not the name of another variable/);
    vi.stubEnv('PLACE', '');
    expect(() => storePlace('env:PLACE')).toThrow(/the environment variable PLACE is not set/);
    expect(() => storePlace('env:')).toThrow(/variable NAME is not set/);
  });

  it.each([
    'postgres:/app:geheim@db/reviews',
    'postgress://app:geheim@db/reviews',
    'mysql://app:geheim@db/reviews',
    'postgres://app:1/geheim@db/reviews',
    'postgres://app:geheim/x@db/reviews',
    'app:geheim@db/reviews',
  ])('a wrong one is refused without its password: %s', (wrong) => {
    expect(() => storePlace(wrong)).toThrow(/^(?!.*geheim)/s);
  });
});
