import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.js';
import { bundled, start } from './children.js';

/** A process of this machine. */
interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
  readonly command: string;
}

/** The processes that run, without those that have ended and that nobody has asked about. */
function processes(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (fields[0] === 'Z') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return [
          { pid: Number(name), parent: Number(fields[1]), started: fields[19] ?? '', command },
        ];
      } catch {
        return [];
      }
    });
}

function below(pid: number): Running[] {
  const all = processes();
  const found = all.filter(({ parent }) => parent === pid);
  return [...found, ...found.flatMap((child) => below(child.pid))];
}

async function until<Value>(read: () => Value, holds: (value: Value) => boolean): Promise<Value> {
  for (let round = 0; round < 400; round += 1) {
    const value = read();
    if (holds(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return read();
}

const alive = (known: readonly Running[]): string[] =>
  processes()
    .filter(({ pid, started }) => known.some((one) => one.pid === pid && one.started === started))
    .map(({ pid, command }) => `${pid} ${command.slice(0, 80)}`);

describeInBrowser('the browser of a process', () => {
  it.runIf(process.platform === 'linux')('is gone after a kill -9 of the process', async () => {
    const program = await bundled('page-child');
    const child = start(program, ['<script>for (;;);</script>']);
    expect(await child.line()).toBe('started');
    const pid = child.process.pid ?? 0;
    const browsers = await until(
      () => below(pid),
      (found) => found.some(({ command }) => command.includes('--type=renderer')),
    );
    expect(browsers.some(({ command }) => command.includes('--type=renderer'))).toBe(true);
    await child.kill();
    expect(
      await until(
        () => alive(browsers),
        (left) => left.length === 0,
      ),
    ).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('lets the process end, and is gone then', async () => {
    const program = await bundled('page-child');
    const child = start(program, ['<h1>A page</h1><a href="#a">A link</a>']);
    expect(await child.line()).toBe('started');
    const browsers = await until(
      () => below(child.process.pid ?? 0),
      (found) => found.some(({ command }) => command.includes('--type=renderer')),
    );
    expect(await child.line()).toBe('10 answers');
    expect(await child.exit).toEqual({ code: 0, signal: null });
    expect(
      await until(
        () => alive(browsers),
        (left) => left.length === 0,
      ),
    ).toEqual([]);
  });
});
