import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { showPaged } from '@/node/terminal/pager.js';
import { newFolder } from '../../../resume/children.js';

const long = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join('');

async function shown(text: string, pager: string | undefined, rows: number | null = 20) {
  let written = '';
  const { PAGER: _, ...rest } = process.env;
  const environment = { ...rest, ...(pager !== undefined && { PAGER: pager }) };
  const write = async (more: string): Promise<void> => {
    written += more;
  };
  await showPaged(text, {
    rows: rows ?? undefined,
    columns: 80,
    write,
    environment,
  });
  return written;
}

describe('the pager', () => {
  it('gets a text that does not fit on the terminal, and Ctrl-C is its own [R2-091]', async () => {
    const file = join(newFolder(), 'paged');
    const before = process.rawListeners('SIGINT');
    expect(await shown(long, `cat > '${file}'`)).toBe('');
    expect(readFileSync(file, 'utf8')).toBe(long);
    expect(process.rawListeners('SIGINT')).toEqual(before);
  });

  it.each([
    ['a short text', 'one\n', 'false', 20],
    ['PAGER=cat', long, 'cat', 20],
    ['an empty PAGER', long, '', 20],
    ['a pager that is not there', long, 'no-such-pager-anywhere 2>/dev/null', 20],
    ['a terminal that does not tell its height', long, 'false', null],
  ])('%s is written', async (_, text, pager, rows) => {
    expect(await shown(text, pager, rows)).toBe(text);
  });

  it('counts the rows that long lines take', async () => {
    expect(await shown(`${'x'.repeat(800)}\n`, 'cat >/dev/null', 10)).toBe('');
  });
});
