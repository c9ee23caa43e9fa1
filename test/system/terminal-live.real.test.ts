import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { widthOf } from '@/node/terminal/table.js';
import { playTerminal } from '../../scripts/terminal-picture/terminal-cells.mjs';
import { newFolder } from '../resume/children.js';
import { hasPty, pty } from '../support/pty.js';
import { itInTerminal, terminal } from '../support/tmux.js';
import { bin } from './cli-harness.js';

/** Judges that wait for a file, so that a test decides when they answer. */
const slowCriteria = `
import { existsSync } from 'node:fs';
const until = async (file) => {
  while (!existsSync(file)) await new Promise((done) => setTimeout(done, 20));
};
export const criteria = {
  tone: async () => { await until('go-tone'); return 'it is too stiff'; },
  safety: async () => { console.log('a stray line of a judge'); await until('go-safety'); return true; },
};
`;

function slowReview(): string {
  const cwd = newFolder();
  mkdirSync(join(cwd, 'site'));
  writeFileSync(join(cwd, 'site/index.html'), '<!doctype html><title>x</title>hi');
  writeFileSync(join(cwd, 'TASK.md'), '# Task\n\n- The page must say hi.\n');
  writeFileSync(join(cwd, 'slow.mjs'), slowCriteria);
  return cwd;
}

const review = `"${process.execPath}" "${bin}" review site --task TASK.md --criteria ./slow.mjs`;

/** Returns the escape sequences that are not colours. */
function otherSequences(bytes: string): string[] {
  return bytes
    .split('\u001b')
    .slice(1)
    .filter((part) => !/^\[[\d;]*m/.test(part));
}

function framesOf(bytes: string): string[] {
  return bytes.split('\r').filter((part) => /\d+ s\b/.test(part));
}

describe.runIf(hasPty)('a review that takes its time, on a real terminal', () => {
  it.each([40, 80, 200])(
    '%d columns: a block of judges moves every second, and leaves only the report [R2-080, R2-084]',
    async (columns) => {
      const cwd = slowReview();
      const screen = pty(`${review}; echo END`, { cwd, columns });
      await screen.until(/[3-9] s {2}review 1 {2}1\/3 checks/);
      const during = playTerminal(screen.bytes(), columns);
      expect(during.isCursorShown).toBe(false);
      expect(during.lines.filter((line) => line !== '')).toEqual([
        'a stray line of a judge',
        expect.stringMatching(/^. \d+ s {2}review 1 {2}1\/3 checks$/),
        expect.stringMatching(/^ {2}. +\d+ s {2}tone$/),
        expect.stringMatching(/^ {2}. +\d+ s {2}safety$/),
        expect.stringMatching(/^ {2}\? +\d+ s {2}requirements$/),
      ]);
      const told = [...screen.bytes().matchAll(/ (\d+) s {2}review 1/g)].map(([, at]) =>
        Number(at),
      );
      // a busy machine may miss a second
      expect(new Set(told).size).toBeGreaterThanOrEqual(2);
      // at most ten frames of four lines a second
      expect(framesOf(screen.bytes()).length).toBeLessThan(10 * 4 * (Math.max(...told) + 1));
      writeFileSync(join(cwd, 'go-tone'), '');
      writeFileSync(join(cwd, 'go-safety'), '');
      const bytes = await screen.end;
      const { lines, isCursorShown } = playTerminal(bytes, columns);
      expect(isCursorShown).toBe(true);
      expect(lines[0]).toBe('a stray line of a judge');
      expect(lines).toContainEqual(expect.stringMatching(/^NOT APPROVED: 1/));
      expect(lines.join('\n')).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
      expect(lines.filter((line) => line === 'END')).toHaveLength(1);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    },
  );

  it('0 columns: one line without escape sequences, and it moves too [R2-079]', async () => {
    const cwd = slowReview();
    const screen = pty(`${review}; echo END`, { cwd, columns: 0 });
    await screen.until(/[2-9] s {2}review 1 {2}1\/3 checks/);
    expect(screen.bytes()).not.toContain('\u001b[?25l');
    writeFileSync(join(cwd, 'go-tone'), '');
    writeFileSync(join(cwd, 'go-safety'), '');
    const bytes = await screen.end;
    expect(otherSequences(bytes)).toEqual([]);
    expect(playTerminal(bytes, 80).lines).toContain('NOT APPROVED: 1 major gap');
  });

  it('Ctrl-C gives the cursor back, and says what is stored and how to go on', async () => {
    const cwd = slowReview();
    const screen = pty(`trap true INT; ${review}; echo "END $?"`, { cwd, columns: 80 });
    await screen.until(/\d s {2}review 1/);
    screen.type('\u0003');
    const { lines, isCursorShown } = playTerminal(await screen.end, 80);
    const shown = lines.join('\n');
    expect(isCursorShown).toBe(true);
    expect(shown).toMatch(/NO VERDICT: it was cancelled/);
    expect(shown).toMatch(/stored: \.reviewloop\/runs\//);
    expect(shown).toMatch(/next: reviewloop review site --task TASK\.md --criteria/);
    expect(shown).toContain('END 130');
    expect(shown).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  });

  it.each([
    ['xterm-256color', 80, true],
    ['dumb', 80, false],
    ['xterm-256color', 0, false],
  ])(
    'a check that never ends: TERM=%s at %d columns gets its cursor back',
    async (TERM, columns, moves) => {
      const cwd = slowReview();
      writeFileSync(
        join(cwd, 'slow.mjs'),
        `export const criteria = { stuck: async () => {
          await new Promise((done) => setTimeout(done, 300));
          for (;;);
        } };`,
      );
      const line = `${review} --check-timeout 2; echo "END $?"`;
      const bytes = await pty(line, { cwd, columns, env: { TERM } }).end;
      expect(bytes).toMatch(/error: the criterion \w+ blocked the event loop/);
      expect(bytes).toContain('END 1');
      if (!moves) return expect(otherSequences(bytes)).toEqual([]);
      const [before = '', after = ''] = bytes.split('error: the criterion');
      expect(before.trimEnd().endsWith('\r\u001b[J\u001b[?25h')).toBe(true);
      expect(after).not.toContain('\u001b[?25l');
      const { lines, isCursorShown } = playTerminal(bytes, 80);
      expect(isCursorShown).toBe(true);
      expect(lines.join('\n')).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    },
  );

  it('CI on a terminal: calm lines, and nothing changes', async () => {
    const cwd = slowReview();
    writeFileSync(join(cwd, 'go-tone'), '');
    writeFileSync(join(cwd, 'go-safety'), '');
    const bytes = await pty(review, { cwd, columns: 80, env: { CI: 'true' } }).end;
    expect(otherSequences(bytes)).toEqual([]);
    const { lines } = playTerminal(bytes, 80);
    expect(lines).toContain('review 1: 3 checks begin');
    expect(lines.join('\n')).toMatch(/\nreview 1: 1 passed, 1 failed, 1 undecided, 1 gap, overall/);
  });

  itInTerminal('a resize leaves no torn line', async () => {
    const cwd = slowReview();
    const { until, resize } = terminal(`cd '${cwd}' && ${review}; echo "END $?"; sleep 60`);
    await until(/\d s {2}review 1 {2}1\/3/);
    for (const columns of [40, 100, 25, 120]) {
      resize(columns, 40);
      // the terminal wraps the lines at once, and the next frame puts them right
      await until(
        (screen) =>
          // a terminal that wrapped a line before tells it with the next one
          /\d s {2}review 1 {2}1\/3[^\n]*\s {2}. +\d+ s {2}tone/.test(screen) &&
          screen.match(/review 1 {2}1\/3/g)?.length === 1 &&
          screen.match(/tone/g)?.length === 1,
      );
    }
    writeFileSync(join(cwd, 'go-tone'), '');
    writeFileSync(join(cwd, 'go-safety'), '');
    const end = await until(/END 50/);
    expect(end.match(/^NOT APPROVED/gm)).toHaveLength(1);
    expect(end).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  });
});
