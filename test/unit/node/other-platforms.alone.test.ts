import type * as Path from 'node:path';
import { win32 } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { explicitRequirements } from '@/blocks/requirements/index.js';
import { insideFolder, safeName } from '@/node/inside-root.js';
import { runProcess } from '@/node/process.js';
import { readLabels } from '@/products/calibration/index.js';

// the paths of Windows, on any system
vi.mock('node:path', async (original) => {
  const path = await original<typeof Path>();
  return { ...path.win32, default: path.win32, win32: path.win32, posix: path.posix };
});

afterEach(() => vi.restoreAllMocks());

describe('paths on Windows', () => {
  const folder = 'C:\\store\\run';

  it.each([
    ['..\\..\\secret.txt', 'C:\\store\\run\\_up\\_up\\secret.txt'],
    ['C:\\Windows\\x', 'C:\\store\\run\\C_\\Windows\\x'],
    ['\\\\host\\share\\x', 'C:\\store\\run\\host\\share\\x'],
    ['a/b\\c.txt', 'C:\\store\\run\\a\\b\\c.txt'],
    ['a.txt:stream', 'C:\\store\\run\\a.txt_stream'],
  ])('%s stays inside its folder', (path, expected) => {
    expect(insideFolder(folder, path)).toBe(expected);
  });

  it('stay inside for any path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (path) => {
        const inside = win32.relative(folder, insideFolder(folder, path));
        expect(inside.startsWith('..') || win32.isAbsolute(inside) || inside === '').toBe(false);
      }),
      { seed: 1 },
    );
  });

  it.each(['con', 'NUL.txt', 'aux.tar.gz', 'Com1', 'lpt9.log', 'com¹'])('%s is no device', (name) =>
    expect(safeName(name)).toBe(`_${name}`),
  );

  it.each(['console.ts', 'auxiliary', 'com10.txt', 'nullable.md', '.env'])('%s stays', (name) =>
    expect(safeName(name)).toBe(name),
  );

  it('two names do not become one by dots and spaces at the end', () => {
    expect(safeName('a.')).toBe('a_');
    expect(safeName('a. ')).toBe('a__');
    expect(safeName('...')).toBe('_');
  });
});

describe('processes on Windows', () => {
  const running = ['-e', 'setInterval(() => {}, 1000)'];

  it.each([
    ['win32', 1],
    ['linux', -1],
  ] as const)('on %s the signal goes to %d times the process id', async (platform, sign) => {
    const real = process.kill.bind(process);
    const asked: number[] = [];
    vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      asked.push(pid);
      // the group of the child is there only on a real POSIX system
      return real(Math.abs(pid), signal);
    });
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
    // it never ends by itself
    await expect(
      runProcess({ command: process.execPath, args: running, timeoutMs: 200 }),
    ).rejects.toMatchObject({ code: 'process_timeout' });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every((pid) => Math.sign(pid) === sign)).toBe(true);
  });
});

it('line ends of Windows do not change what is read', async () => {
  const labels = ['{"output":"a","label":"pass"}', '{"output":"b","label":"fail"}'];
  expect(readLabels(labels.join('\r\n'), 'x')).toEqual(readLabels(labels.join('\n'), 'x'));
  const task = '# Cart\n\nThe cart must show its total.\n\n- Guests can buy\n';
  const texts = async (text: string) => (await explicitRequirements(text)).map((one) => one.text);
  expect(await texts(task.replaceAll('\n', '\r\n'))).toEqual(await texts(task));
  expect(await texts(task)).toHaveLength(2);
});
