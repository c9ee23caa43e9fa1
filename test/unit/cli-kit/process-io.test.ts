import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { processIo } from '../../../src/cli-kit/process-io.js';

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

describe('the streams of a process', () => {
  test('terminals have columns, and colours unless they are unwanted', () => {
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
