import { PassThrough, Writable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { playTerminal } from '../../../scripts/terminal-picture/terminal-cells.mjs';
import { processIo } from '../../../src/cli-kit/process-io.js';

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
  test('terminals have columns, and colours unless they are unwanted', () => {
    vi.stubEnv('CI', undefined);
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 77 });
    const io = processIo(signal, streams({ stdout: terminal, stderr: terminal }));
    expect([io.outColumns, io.errColumns]).toEqual([77, 77]);
    const plain = processIo(signal, streams());
    expect([plain.outColumns, plain.errColumns, plain.colours]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });

  test('a terminal of 0 columns has an unknown width [R2-079]', () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 0 });
    const io = processIo(signal, streams({ stdout: terminal, stderr: terminal }));
    expect([io.outColumns, io.errColumns]).toEqual([undefined, undefined]);
  });

  test('results and messages never share a line with progress [R2-080]', async () => {
    vi.stubEnv('CI', undefined);
    vi.stubEnv('TERM', 'xterm');
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
    const io = processIo(signal, streams({ stdout: terminal, stderr: terminal }));
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
  ])('with CI=%j nobody is asked: %s [R2-068]', (value, silent) => {
    vi.stubEnv('CI', value);
    vi.stubEnv('NO_COLOR', undefined);
    const before = [process.stdin.isTTY, process.stdout.isTTY];
    Object.assign(process.stdin, { isTTY: true });
    Object.assign(process.stdout, { isTTY: true });
    try {
      expect(processIo(signal).terminal === undefined).toBe(silent);
    } finally {
      Object.assign(process.stdin, { isTTY: before[0] });
      Object.assign(process.stdout, { isTTY: before[1] });
      vi.unstubAllEnvs();
    }
  });

  test('a pipe that nobody reads is no error, anything else is', async () => {
    const closed = processIo(signal, streams({ stdout: broken('EPIPE') }));
    await closed.out('x');
    await closed.out('y');
    const full = processIo(signal, streams({ stdout: broken('ENOSPC') }));
    await expect(full.out('x')).rejects.toMatchObject({ code: 'output_unwritable' });
  });

  test('progress that cannot be written is dropped', async () => {
    processIo(signal, streams({ stderr: broken('ENOSPC') })).err('x');
    await new Promise(setImmediate);
  });

  test('the standard input is read whole, within its bound', async () => {
    const stdin = (...chunks: string[]) =>
      streams({ stdin: PassThrough.from(chunks.map((chunk) => Buffer.from(chunk))) });
    expect(String(await processIo(signal, stdin('ab', 'c')).readStdin(3))).toBe('abc');
    await expect(processIo(signal, stdin('ab', 'c')).readStdin(2)).rejects.toMatchObject({
      code: 'file_too_large',
    });
    const failing = new PassThrough();
    failing.destroy(new Error('gone'));
    await expect(processIo(signal, streams({ stdin: failing })).readStdin(2)).rejects.toMatchObject(
      { code: 'file_unreadable' },
    );
  });
});
