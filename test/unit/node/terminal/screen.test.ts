import { describe, expect, it } from 'vitest';
import { type Draw, Screen } from '@/node/terminal/screen.js';
import type { Clock } from '@/ports/clock.js';
import { fakeClock } from '@/testing/index.js';
import { playTerminal } from '../../../../scripts/terminal-picture/terminal-cells.mjs';
import { fakeTerminal } from '../../../support/fake-terminal.js';

const environment = { TERM: 'xterm-256color' };

function screenWith<Time extends Pick<Clock, 'now' | 'after'>>(
  clock: Time,
  columns: number | undefined,
  env: Record<string, string> = environment,
) {
  const terminal = fakeTerminal(columns, 24);
  const streams = { stdout: terminal.stream, stderr: terminal.stream };
  return { clock, screen: new Screen(streams, { clock, environment: env }), ...terminal };
}

const screenOf = (columns: number | undefined, env?: Record<string, string>) =>
  screenWith(fakeClock(), columns, env);

const rows =
  (...texts: string[]): Draw =>
  () =>
    texts;

describe('the owner of the screen', () => {
  it('shows a block that changes in place, and leaves nothing behind', async () => {
    const { screen, clock, text } = screenOf(80);
    screen.show(rows('one', 'two', 'three'));
    expect(playTerminal(text(), 80).lines).toEqual(['one', 'two', 'three']);
    expect(playTerminal(text(), 80).isCursorShown).toBe(false);
    await clock.advanceAsync(100);
    screen.show(rows('ONE', 'TWO'));
    expect(playTerminal(text(), 80).lines).toEqual(['ONE', 'TWO']);
    screen.hide();
    const end = playTerminal(text(), 80);
    expect([end.lines.join(''), end.row, end.column, end.isCursorShown]).toEqual(['', 0, 0, true]);
  });

  it('never shares a line with a text, whoever writes it [R2-080]', async () => {
    const { screen, clock, stream, text } = screenOf(40);
    const draw = rows('⠙ 1 s  review 1', '  ⠙ a judge');
    screen.show(draw);
    for (const line of ['the report', 'a warning', 'a stray line of a judge']) {
      stream.write(`${line}\n`);
      await clock.advanceAsync(100);
    }
    expect(playTerminal(text(), 40).lines).toEqual([
      'the report',
      'a warning',
      'a stray line of a judge',
      '⠙ 1 s  review 1',
      '  ⠙ a judge',
    ]);
    stream.write('a line that is ');
    await clock.advanceAsync(500);
    screen.show(rows('later'));
    stream.write('not finished\n');
    await clock.advanceAsync(100);
    expect(playTerminal(text(), 40).lines.slice(3)).toEqual([
      'a line that is not finished',
      'later',
    ]);
    screen.hide();
    expect(playTerminal(text(), 40).lines).toHaveLength(5);
  });

  it('erases the block before a text although its next frame is late', () => {
    let now = 0;
    const { screen, stream, text } = screenWith({ now: () => now, after: () => () => {} }, 80);
    screen.show(rows('a long first row of the block', 'second'));
    screen.show(rows('a frame that waits for its timer', 'second'));
    now = 500;
    stream.write('a text\n');
    expect(playTerminal(text(), 80).lines).toEqual(['a text', '']);
    screen.hide();
  });

  it('draws at most ten frames a second, and none that changes nothing', async () => {
    const { screen, clock, frames } = screenOf(80);
    for (let step = 0; step < 1000; step += 1) {
      screen.show(rows(`step ${step}`));
      await clock.advanceAsync(1);
    }
    expect(frames()).toBeGreaterThan(5);
    expect(frames()).toBeLessThanOrEqual(11);
    const before = frames();
    for (let step = 0; step < 20; step += 1) {
      screen.show(rows('the same'));
      await clock.advanceAsync(100);
    }
    expect(frames() - before).toBe(1);
  });

  it('draws without timers too, because they wait while checks compute [R2-083]', () => {
    let now = 0;
    const { screen, stream, text } = screenWith({ now: () => now, after: () => () => {} }, 80);
    screen.show(rows('first'));
    stream.write('a line\n');
    now = 300;
    screen.show(rows('later'));
    expect(playTerminal(text(), 80).lines).toEqual(['a line', 'later']);
  });

  it.each([20, 40, 80, 200])('no row is wider than %d columns', async (columns) => {
    const { screen, text } = screenOf(columns);
    screen.show(({ columns: room }) => ['漢'.repeat(150), 'x'.repeat(300), 'y'.repeat(room)]);
    const { lines } = playTerminal(text(), columns);
    expect(lines).toHaveLength(3);
    screen.hide();
    expect(playTerminal(text(), columns).lines.join('')).toBe('');
  });

  it('is right after a resize, and draws for the new size', async () => {
    const { screen, clock, resize, text } = screenOf(80);
    screen.show(({ columns }) => ['x'.repeat(columns), 'second']);
    await clock.advanceAsync(200);
    const before = text().length;
    resize(30, 10);
    await clock.advanceAsync(200);
    const after = text().slice(before);
    // it begins at its first row, wherever the terminal has moved that, and erases what is below
    expect(after.startsWith(`\r${'x'.repeat(29)}\u001b[K\r\nsecond\u001b[K\u001b[J`)).toBe(true);
    screen.hide();
  });

  it.each([
    ['0 columns', 0, environment],
    ['1 column', 1, environment],
    ['10 columns', 10, environment],
    ['an unknown width', undefined, environment],
    ['NO_COLOR', 80, { ...environment, NO_COLOR: '1' }],
  ])('%s: one line without escape sequences [R2-079, R2-136]', async (_, columns, env) => {
    const { screen, clock, stream, text } = screenOf(columns, env);
    screen.show(rows('\u001b[31m12 s\u001b[39m  review 1', 'a second row'));
    await clock.advanceAsync(100);
    screen.show(rows('13 s'));
    stream.write('\n');
    screen.hide();
    expect(text()).not.toContain('\u001b');
    expect(text()).not.toContain('second');
    const width = columns === undefined || columns === 0 ? 80 : columns;
    for (const line of text().split(/[\r\n]/)) expect(line.length).toBeLessThan(width);
    expect(playTerminal(text(), width).lines.join('')).toBe('');
  });

  it.each([
    ['TERM=dumb', { TERM: 'dumb' }],
    ['CI', { ...environment, CI: 'true' }],
  ])('%s: nothing changes on the screen', (_, env) => {
    const { screen, text } = screenOf(80, env);
    expect(screen.isLive).toBe(false);
    screen.show(rows('one'));
    screen.hide();
    expect(text()).toBe('');
  });

  it('gives the streams back as they were', () => {
    const { screen, stream } = screenOf(80);
    const { write } = stream;
    screen.show(rows('one'));
    expect(stream.write).not.toBe(write);
    screen.hide();
    expect(stream.write).toBe(write);
  });

  it('shows the cursor when the process ends in between', () => {
    const { screen, text } = screenOf(80);
    screen.show(rows('one'));
    const [end] = process.listeners('exit').slice(-1);
    Reflect.apply(end ?? (() => {}), process, [1]);
    expect(playTerminal(text(), 80)).toMatchObject({ isCursorShown: true, lines: [''] });
  });
});
