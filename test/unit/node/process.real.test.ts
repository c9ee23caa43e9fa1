import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isReviewError } from '@/core/errors.js';
import { type ProcessOptions, type ProcessResult, runProcess } from '@/node/process.js';
import { tempFolder } from '../../support/temp-folder.js';

function node(script: string, options: Partial<ProcessOptions> = {}): Promise<ProcessResult> {
  return runProcess({
    command: process.execPath,
    args: ['-e', script],
    timeoutMs: 20_000,
    ...options,
  });
}

async function failure(work: Promise<unknown>): Promise<{ code: string; value?: unknown }> {
  try {
    await work;
  } catch (error) {
    if (isReviewError(error)) return error;
    throw error;
  }
  throw new Error('expected a rejection');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200 && isAlive(pid); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  return !isAlive(pid);
}

/** A node that prints its pid and then does what the script says. */
const grandchild = (script: string): string => `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(script)}], { stdio: ['ignore', 'inherit', 'inherit'] });
  console.log(child.pid);`;

describe('runProcess: results', () => {
  it('gives exit code, both streams and the duration', async () => {
    const result = await node('console.log("out"); console.error("err")');
    expect(result).toMatchObject({
      exitCode: 0,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
      timedOut: false,
    });
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it('gives a non-zero exit as a value', async () => {
    expect(await node('process.exit(7)')).toMatchObject({ exitCode: 7, signal: null });
  });

  it('gives the signal that ended the command by itself', async () => {
    expect(await node('process.kill(process.pid, "SIGKILL")')).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      timedOut: false,
    });
  });

  it('uses no shell', async () => {
    const { stdout } = await runProcess({
      command: process.execPath,
      args: ['-e', 'console.log(process.argv[1])', '$HOME; echo no'],
      timeoutMs: 20_000,
    });
    expect(stdout).toBe('$HOME; echo no\n');
  });

  it('writes the input to standard input and closes it', async () => {
    const echo = 'process.stdin.pipe(process.stdout)';
    expect((await node(echo, { input: 'ü😀\n' })).stdout).toBe('ü😀\n');
    expect((await node(echo, { input: new Uint8Array([104, 105]) })).stdout).toBe('hi');
    expect((await node(echo)).stdout).toBe('');
  });

  it('survives a command that closes its input early', async () => {
    const result = await node('process.stdin.destroy(); console.log("done")', {
      input: 'x'.repeat(5_000_000),
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'done\n' });
  });

  it('runs in the given folder', async () => {
    expect((await node('console.log(process.cwd())', { cwd: '/' })).stdout).toBe('/\n');
  });
});

describe('runProcess: output', () => {
  it('keeps head and tail of 50 MB and tells that it did', async () => {
    const script = 'process.stdout.write("BEGIN" + "x".repeat(50 * 2 ** 20) + "END")';
    const { stdout, truncated, exitCode } = await node(script, { maxOutputBytes: 1000 });
    expect({ truncated, exitCode }).toEqual({ truncated: true, exitCode: 0 });
    expect(stdout).toMatch(/^BEGINx+\n\[\.\.\. 52427808 bytes left out \.\.\.\]\nx+END$/);
    expect(stdout.length).toBe(1000 + '\n[... 52427808 bytes left out ...]\n'.length);
  });

  it('leaves output of exactly the limit whole', async () => {
    expect(
      await node('process.stdout.write("x".repeat(1000))', { maxOutputBytes: 1000 }),
    ).toMatchObject({ stdout: 'x'.repeat(1000), truncated: false });
    expect(
      await node('process.stdout.write("x".repeat(1001))', { maxOutputBytes: 1000 }),
    ).toMatchObject({ truncated: true });
  });

  it('counts both streams for itself', async () => {
    const result = await node(
      'process.stdout.write("fine"); process.stderr.write("x".repeat(2000))',
      { maxOutputBytes: 1000 },
    );
    expect(result).toMatchObject({ stdout: 'fine', truncated: true });
    expect(result.stderr).toContain('bytes left out');
  });

  it.each(['ü', '€', '😀', 'a😀ü€'])('never cuts inside a character: %s', async (text) => {
    for (const maxOutputBytes of [10, 11, 12, 13]) {
      const { stdout, truncated } = await node(
        `process.stdout.write(${JSON.stringify(text.repeat(40))})`,
        { maxOutputBytes },
      );
      expect(truncated).toBe(true);
      expect(stdout).not.toContain('\ufffd');
      const [head = '', tail = ''] = stdout.split(/\n.*\n/);
      expect(text.repeat(40).startsWith(head) && text.repeat(40).endsWith(tail)).toBe(true);
      expect(Buffer.byteLength(head + tail)).toBeGreaterThan(maxOutputBytes - 8);
    }
  });

  it('gives binary output as text with replacement characters, whole or cut', async () => {
    const script =
      'process.stdout.write(Buffer.from(Array.from({ length: 4096 }, (_, i) => i % 256)))';
    expect(await node(script)).toMatchObject({ truncated: false, exitCode: 0 });
    const { stdout, truncated } = await node(script, { maxOutputBytes: 512 });
    expect(truncated).toBe(true);
    expect(stdout).toContain('\ufffd');
  });
});

describe('runProcess: ending', () => {
  it('ends a command that takes too long, with what it said so far', async () => {
    const error = await failure(
      node('console.log(process.pid); setInterval(() => {}, 1000)', { timeoutMs: 500 }),
    );
    expect(error.code).toBe('process_timeout');
    expect(error.value).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGTERM' });
  });

  it('kills a command that ignores the request to end', async () => {
    const error = await failure(
      node('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)', {
        timeoutMs: 1000,
        killAfterMs: 100,
      }),
    );
    expect(error).toMatchObject({
      code: 'process_timeout',
      value: { signal: 'SIGKILL', stdout: 'up\n' },
    });
  });

  it('does not wait for a grandchild that holds standard output, and ends it', async () => {
    const { stdout, exitCode } = await node(
      `${grandchild('setInterval(() => {}, 1000)')} child.unref(); process.exit(3)`,
    );
    expect(exitCode).toBe(3);
    expect(await gone(Number(stdout))).toBe(true);
  });

  it('ends the grandchildren of a command that takes too long, also stubborn ones', async () => {
    const error = await failure(
      node(grandchild('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'), {
        timeoutMs: 1000,
        killAfterMs: 200,
      }),
    );
    expect(error.code).toBe('process_timeout');
    const { stdout } = error.value as ProcessResult;
    expect(await gone(Number(stdout))).toBe(true);
  });

  it('lets go of a stream that a process outside the group holds open', async () => {
    const script = grandchild('setInterval(() => {}, 1000)').replace(
      '{ stdio',
      '{ detached: true, stdio',
    );
    const { stdout, exitCode } = await node(`${script} child.unref(); process.exit(0)`, {
      killAfterMs: 100,
    });
    process.kill(Number(stdout), 'SIGKILL');
    expect(exitCode).toBe(0);
  });

  it('does not start when the signal is aborted already', async () => {
    const error = await failure(
      runProcess({ command: '/does/not/exist', timeoutMs: 1000, signal: AbortSignal.abort() }),
    );
    expect(error.code).toBe('cancelled');
  });

  it('ends the command when the signal is aborted meanwhile', async () => {
    const controller = new AbortController();
    const run = failure(node('setInterval(() => {}, 1000)', { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('enough')), 200);
    expect(await run).toMatchObject({
      code: 'cancelled',
      value: { exitCode: null, signal: 'SIGTERM', timedOut: false },
    });
  });

  it('passes on the typed reason of an abort', async () => {
    const first = await failure(node('setInterval(() => {}, 1000)', { timeoutMs: 100 }));
    expect(await failure(node('', { signal: AbortSignal.abort(first) }))).toBe(first);
  });
});

it('runProcess hands on the allowed variables of the environment and nothing else', async () => {
  vi.stubEnv('REVIEWLOOP_TEST_SECRET', 'secret');
  vi.stubEnv('REVIEWLOOP_TEST_ALLOWED', 'allowed');
  vi.stubEnv('LC_TEST', 'C');
  vi.stubEnv('NODE_V8_COVERAGE', '/tmp/none');
  const { stdout } = await node('console.log(JSON.stringify(process.env))', {
    allowEnv: ['REVIEWLOOP_TEST_ALLOWED'],
    env: { EXTRA: '1' },
  });
  const seen: Record<string, string> = JSON.parse(stdout);
  expect(seen).toMatchObject({
    REVIEWLOOP_TEST_ALLOWED: 'allowed',
    LC_TEST: 'C',
    EXTRA: '1',
    PATH: process.env['PATH'],
  });
  const allowed = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR', 'REVIEWLOOP_TEST_ALLOWED', 'EXTRA'];
  expect(
    Object.keys(seen).filter((name) => !allowed.includes(name) && !name.startsWith('LC_')),
  ).toEqual([]);
});

describe('runProcess: what cannot be started', () => {
  it('names a command that is not there', async () => {
    expect(
      await failure(runProcess({ command: 'no-such-command-anywhere', timeoutMs: 1000 })),
    ).toMatchObject({ code: 'process_not_found', value: 'no-such-command-anywhere' });
  });

  it('names a file that cannot be executed', async () => {
    const folder = tempFolder('reviewloop');
    const command = join(folder, 'data.txt');
    await writeFile(command, 'not a program', { mode: 0o644 });
    expect(await failure(runProcess({ command, timeoutMs: 1000 }))).toMatchObject({
      code: 'process_not_found',
      value: command,
    });
    await rm(folder, { recursive: true });
  });

  it('tells a missing folder from a missing command', async () => {
    expect(await failure(node('', { cwd: '/no/such/folder' }))).toMatchObject({
      code: 'invalid_options',
      value: '/no/such/folder',
    });
  });

  it('refuses options that make no sense', async () => {
    const bad: Partial<ProcessOptions>[] = [
      { command: '' },
      { timeoutMs: 0 },
      { timeoutMs: Number.NaN },
      { killAfterMs: -1 },
      { maxOutputBytes: 0 },
      { args: ['a\u0000b'] },
    ];
    for (const options of bad)
      expect((await failure(node('', options))).code).toBe('invalid_options');
  });

  it('passes on that the arguments are too long', async () => {
    expect((await failure(node('x'.repeat(5_000_000)))).code).toBe('process_failed');
  });
});
