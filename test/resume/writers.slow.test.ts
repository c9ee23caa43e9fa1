import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fileStore } from '@/adapters/stores/file/index.js';
import { systemClock } from '@/ports/clock.js';
import { end, filesIn, header, step } from '../unit/adapters/stores/file-support.js';
import { type Child, newFolder } from './children.js';
import { append, open, ready } from './store-children.js';

describe('two processes on one run', () => {
  it('the second is refused with run_busy, until the first has closed it or was killed', async () => {
    const directory = newFolder();
    const [first, second] = [await ready(directory), await ready(directory)];
    expect(await first.ask(open)).toEqual({ ok: 0 });
    expect(await first.ask(append(header('a')))).toEqual({ ok: 1 });
    expect(await second.ask(open)).toEqual({ code: 'run_busy' });
    expect(await first.ask({ do: 'close' })).toEqual({ ok: 'closed' });
    expect(await second.ask(open)).toEqual({ ok: 1 });
    expect(await first.ask(open)).toEqual({ code: 'run_busy' });
    expect(await second.ask(append(step('one', 1)))).toEqual({ ok: 1 });
    await second.kill();
    expect(await first.ask(open)).toEqual({ ok: 2 });
    await first.kill();
  });

  it('of eight that take over from a killed one at the same time, one wins', async () => {
    const directory = newFolder();
    const dead = await ready(directory);
    await dead.ask(open);
    await dead.ask(append(header('a')));
    await dead.kill();
    const takers = await Promise.all(Array.from({ length: 8 }, () => ready(directory)));
    for (let round = 1; round <= 5; round += 1) {
      const answers = await Promise.all(takers.map((taker) => taker.ask(open)));
      expect(answers.filter((answer) => JSON.stringify(answer) !== '{"code":"run_busy"}')).toEqual([
        { ok: round },
      ]);
      const winner = takers.splice(
        answers.findIndex((answer) => JSON.stringify(answer) === `{"ok":${round}}`),
        1,
      )[0]!;
      expect(await winner.ask(append(step(`round ${round}`, round)))).toEqual({ ok: 1 });
      await winner.kill();
    }
    expect(await fileStore(directory).read('a')).toHaveLength(6);
    await Promise.all(takers.map((taker) => taker.kill()));
  });
});

describe('a writer that was frozen for longer than the patience', () => {
  it('writes nothing once it goes on, whether the next one still writes or has closed', async () => {
    const directory = newFolder();
    const options = { heartbeatMs: 50, patienceMs: 400 };
    const [frozen, next] = [await ready(directory, options), await ready(directory, options)];
    await frozen.ask(open);
    await frozen.ask(append(header('a'), step('one', 1)));
    frozen.process.kill('SIGSTOP');
    await vi.waitFor(async () => expect(await next.ask(open)).toEqual({ ok: 2 }), {
      timeout: 280_000,
      interval: 50,
    });
    expect(await next.ask(append(step('two', 2)))).toEqual({ ok: 1 });
    const before = filesIn(directory);
    frozen.process.kill('SIGCONT');
    expect(await frozen.ask(append(step('late', 'x'.repeat(100_000)), end('failed')))).toEqual({
      code: 'journal_fenced',
    });
    expect(filesIn(directory)).toEqual(before);
    expect(await next.ask(append(end('approved')))).toEqual({ ok: 1 });
    expect(await next.ask({ do: 'close' })).toEqual({ ok: 'closed' });
    const after = filesIn(directory);
    expect(await frozen.ask(append(step('later', 1)))).toEqual({ code: 'journal_fenced' });
    expect(await frozen.ask({ do: 'close' })).toEqual({ ok: 'closed' });
    expect(filesIn(directory)).toEqual(after);
    const store = fileStore(directory);
    expect(await store.read('a')).toEqual([
      header('a'),
      step('one', 1),
      step('two', 2),
      end('approved'),
    ]);
    expect(await store.list()).toEqual([{ runId: 'a', status: 'approved' }]);
    await Promise.all([frozen.kill(), next.kill()]);
  });

  it('a heartbeat keeps a run that is open for longer than the patience', async () => {
    const directory = newFolder();
    const options = { heartbeatMs: 20, patienceMs: 2000 };
    const [holder, other] = [await ready(directory, options), await ready(directory, options)];
    await holder.ask(open);
    const lock = join(directory, 'runs/a/lock.1');
    const first = statSync(lock).mtimeMs;
    await vi.waitFor(() => expect(statSync(lock).mtimeMs - first).toBeGreaterThan(2300), {
      timeout: 280_000,
      interval: 20,
    });
    expect(await other.ask(open)).toEqual({ code: 'run_busy' });
    await Promise.all([holder.kill(), other.kill()]);
  });
});

it('writers that are frozen at any moment, again and again, lose nothing that was promised, double nothing, and leave a journal that can be read', async () => {
  const directory = newFolder();
  const promised: string[] = [];
  let fenced = 0;
  let over = false;
  const unexpected: unknown[] = [];
  const write = async (child: Child, name: string): Promise<void> => {
    const answer = await child.ask(append(step(name, 'x'.repeat(2000))));
    const text = JSON.stringify(answer);
    if (text === '{"ok":1}') promised.push(name);
    else if (text === '{"code":"journal_fenced"}') fenced += 1;
    else unexpected.push(answer);
  };
  const writer = async (child: Child, who: number): Promise<void> => {
    for (let round = 0; fenced < 30; round += 1) {
      const opened = JSON.stringify(await child.ask(open));
      if (opened === '{"code":"run_busy"}') continue;
      if (!opened.startsWith('{"ok":')) unexpected.push(opened);
      for (let index = 0; index < 5; index += 1) await write(child, `${who}-${round}-${index}`);
      await child.ask({ do: 'close' });
    }
  };
  const freezer = async (child: Child): Promise<void> => {
    const pause = (most: number) =>
      new Promise((resolve) => setTimeout(resolve, Math.random() * most));
    while (!over) {
      await pause(100);
      child.process.kill('SIGSTOP');
      await pause(250);
      child.process.kill('SIGCONT');
    }
  };
  const writers = await Promise.all(
    Array.from({ length: 4 }, () => ready(directory, { heartbeatMs: 10, patienceMs: 60 })),
  );
  const freezing = writers.map(freezer);
  await Promise.all(writers.map(writer));
  over = true;
  await Promise.all(freezing);
  await Promise.all(writers.map((child) => child.kill()));
  expect(unexpected).toEqual([]);
  const names = ((await fileStore(directory).read('a')) ?? []).map((record) =>
    record.type === 'step' ? record.name : record.type,
  );
  expect(new Set(names).size).toBe(names.length);
  expect(promised.filter((name) => !names.includes(name))).toEqual([]);
  expect(promised.length).toBeGreaterThan(0);
});

describe('many processes', () => {
  it('forty append to forty runs of one new directory', async () => {
    const directory = join(newFolder(), 'new');
    const ids = Array.from({ length: 40 }, (_, index) => `run-${index}`);
    const writers = await Promise.all(
      ids.map(async (runId) => ({ runId, child: await ready(directory) })),
    );
    const answers = await Promise.all(
      writers.map(async ({ runId, child }) => {
        await child.ask({ do: 'open', runId });
        await child.ask(append(header(runId)));
        for (let index = 0; index < 10; index += 1)
          await child.ask(append(step(`step ${index}`, index)));
        return [await child.ask(append(end('approved'))), await child.ask({ do: 'close' })];
      }),
    );
    expect(answers).toEqual(ids.map(() => [{ ok: 1 }, { ok: 'closed' }]));
    await Promise.all(writers.map(({ child }) => child.kill()));
    const store = fileStore(directory);
    expect((await store.list({ status: 'approved' })).map(({ runId }) => runId).sort()).toEqual(
      [...ids].sort(),
    );
    for (const runId of ids) expect(await store.read(runId)).toHaveLength(12);
    expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('killed while they append without a pause, they lose nothing that was promised', async () => {
    const directory = newFolder();
    const children = await Promise.all(Array.from({ length: 4 }, () => ready(directory)));
    const promised = await Promise.all(
      children.map(async (child, index) => {
        await child.ask({ do: 'open', runId: `run-${index}` });
        await child.ask(append(header(`run-${index}`)));
        for (let sent = 0; sent < 200; sent += 1)
          child.send(append(step(`step ${sent}`, 'x'.repeat(5000))));
        let done = 1;
        for (; done < 20 + index * 10; done += 1) expect(await child.line()).toBe('{"ok":1}');
        await child.kill();
        return done;
      }),
    );
    for (const [index, count] of promised.entries()) {
      const journal = await fileStore(directory).open(`run-${index}`, true);
      expect(journal.records.length).toBeGreaterThanOrEqual(count);
      expect(
        journal.records
          .slice(1)
          .map((record) => (record.type === 'step' ? record.name : record.type)),
      ).toEqual(Array.from({ length: journal.records.length - 1 }, (_, at) => `step ${at}`));
      await journal.close();
    }
  });
});

describe.skipIf(process.platform === 'win32')('a file that may not grow (ulimit -f)', () => {
  it.each([
    ['a journal', 3000],
    ['a blob', 100_000],
  ])(
    'fails for %s with a typed error, and keeps every record that was promised',
    async (_, bytes) => {
      const directory = newFolder();
      const child = await ready(directory, {}, 'ulimit -f 64; trap "" XFSZ; exec "$@"');
      await child.ask(open);
      await child.ask(append(header('a')));
      const answer = (await child.ask({ do: 'fill', bytes, most: 100 })) as {
        ok: { done: number; code: string; cause: string };
      };
      expect(answer.ok).toMatchObject({
        code: 'journal_write_failed',
        cause: expect.stringContaining('EFBIG'),
      });
      expect(await child.ask({ do: 'close' })).toEqual({ ok: 'closed' });
      await child.kill();
      const journal = await fileStore(directory).open('a', true);
      expect(journal.records).toHaveLength(1 + answer.ok.done);
      await journal.append(end('failed'));
      await journal.close();
      expect(await fileStore(directory).read('a')).toHaveLength(2 + answer.ok.done);
      expect(
        readdirSync(join(directory, 'runs/a')).filter((name) => name.endsWith('.tmp')),
      ).toEqual([]);
    },
    30_000,
  );
});

it('a clock that was set back does not let a second writer in while the first one lives', async () => {
  const directory = newFolder();
  const holder = await ready(directory, { heartbeatMs: 50, patienceMs: 400 });
  await holder.ask(open);
  const now = Date.now();
  const early = fileStore(directory, {
    patienceMs: 2100,
    clock: { ...systemClock, now: () => now - 3_600_000 },
  });
  await expect((async () => early.open('a', true))()).rejects.toMatchObject({ code: 'run_busy' });
  await holder.kill();
});
