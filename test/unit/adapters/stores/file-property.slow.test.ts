import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileStore } from '@/adapters/stores/file/index.js';
import { isReviewError } from '@/core/errors.js';
import type { JournalRecord } from '@/ports/store.js';
import { emptyDirectory, end, filesIn, header, newDirectory, step } from './file-support.js';
import { newWorkspace, put } from './workspace-support.js';

const value = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.constant('x'.repeat(2000)),
);
const anyRecord: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc
    .tuple(fc.string(), value)
    .map(([name, content]) => step(name, JSON.parse(JSON.stringify(content)))),
  fc.constant(end('suspended')),
);
/** Writers one after another, each with batches that it appends at once. */
const writers = fc.array(
  fc.array(fc.array(anyRecord, { minLength: 1, maxLength: 5 }), { maxLength: 4 }),
  { minLength: 1, maxLength: 3 },
);

async function write(
  directory: string,
  all: readonly (readonly (readonly JournalRecord[])[])[],
): Promise<JournalRecord[]> {
  const durable: JournalRecord[] = [header('a')];
  const store = fileStore(directory, { blobBytes: 256 });
  for (const [index, batches] of all.entries()) {
    const journal = await store.open('a', true);
    if (index === 0) await journal.append(header('a'));
    for (const batch of batches) {
      await Promise.all(batch.map(async (record) => journal.append(record)));
      durable.push(...batch);
    }
    await journal.close();
  }
  return durable;
}

describe('after any appends by any writers', () => {
  it('what is read is what was appended; cut anywhere, it is the whole records before; with a byte changed, an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        writers,
        fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), {
          minLength: 6,
          maxLength: 6,
        }),
        async (all, cuts, flips) => {
          const directory = newDirectory();
          const durable = await write(directory, all);
          const store = fileStore(directory, { blobBytes: 256 });
          expect(await store.read('a')).toEqual(durable);
          const path = join(directory, 'runs/a/journal.jsonl');
          const whole = readFileSync(path);
          for (const [place, mask] of flips) {
            const flipped = Buffer.from(whole);
            const at = place % whole.length;
            flipped[at] = flipped[at]! ^ mask;
            await expectRefusedOrPrefix(directory, flipped, durable);
          }
          for (const cut of cuts.map((place) => place % (whole.length + 1))) {
            const kept = whole.subarray(0, cut);
            const count = kept.filter((byte) => byte === 10).length;
            writeFileSync(path, kept);
            expect((await store.read('a')) ?? []).toEqual(durable.slice(0, count));
            const journal = await store.open('a', true);
            expect(journal.records).toEqual(durable.slice(0, count));
            await journal.append(end('approved'));
            await journal.close();
            expect(await store.read('a')).toEqual([...durable.slice(0, count), end('approved')]);
          }
          rmSync(directory, { recursive: true });
        },
      ),
      { numRuns: 40 },
    );
  });

  async function expectRefusedOrPrefix(
    directory: string,
    bytes: Buffer,
    durable: readonly JournalRecord[],
  ): Promise<void> {
    writeFileSync(join(directory, 'runs/a/journal.jsonl'), bytes);
    const before = filesIn(directory);
    try {
      const journal = await fileStore(directory).open('a', true);
      await journal.close();
      expect(durable.slice(0, journal.records.length)).toEqual(journal.records);
    } catch (error) {
      if (!isReviewError(error)) throw error;
      expect(error.code).toBe('journal_corrupt');
      expect(filesIn(directory)).toEqual(before);
    }
  }

  it('any bytes as a journal are refused, or hold no record', async () => {
    const directory = emptyDirectory();
    await write(directory, []);
    await write(directory, [[]]);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await expectRefusedOrPrefix(directory, Buffer.from(bytes), []);
      }),
      { numRuns: 200 },
    );
  });
});

it('folderWorkspace holds ten thousand files', async () => {
  const { root, workspace } = newWorkspace();
  for (let index = 0; index < 10_000; index += 1) {
    const folder = join(root, `folder-${index % 50}`);
    if (index < 50) mkdirSync(folder);
    writeFileSync(join(folder, `${index}.txt`), `${index % 100}`);
  }
  const digest = await workspace.snapshot();
  rmSync(join(root, 'folder-7'), { recursive: true });
  put(root, 'folder-8/8.txt', 'changed');
  await workspace.restore(digest);
  expect(await workspace.snapshot()).toBe(digest);
  expect(readdirSync(join(root, 'folder-7'))).toHaveLength(200);
});
