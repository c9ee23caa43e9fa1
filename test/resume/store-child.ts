// Does with a store what the lines of standard input say, and answers each with a line.
import { createInterface } from 'node:readline';
import { isReviewError } from '@/core/errors.js';
import type { Journal, JournalRecord } from '@/ports/store.js';
import { storeAt } from './store-at.js';

/** What a line asks for. */
export type StoreCommand =
  | { readonly do: 'open'; readonly runId: string }
  | { readonly do: 'append'; readonly records: readonly JournalRecord[] }
  | { readonly do: 'fill'; readonly bytes: number; readonly most: number }
  | { readonly do: 'close' };

const [, , directory = '', options = '{}'] = process.argv;
const store = storeAt(directory, JSON.parse(options) as object);
let journal: Journal | undefined;

async function perform(command: StoreCommand): Promise<unknown> {
  switch (command.do) {
    case 'open':
      journal = await store.open(command.runId, true);
      return journal.records.length;
    case 'append':
      return (await Promise.all(command.records.map(async (record) => journal?.append(record))))
        .length;
    case 'fill': {
      for (let done = 0; done < command.most; done += 1) {
        try {
          await journal?.append({
            type: 'step',
            name: `step ${done}`,
            input: '',
            value: 'x'.repeat(command.bytes),
            at: 1,
          });
        } catch (error) {
          if (isReviewError(error)) return { done, code: error.code, cause: String(error.cause) };
          throw error;
        }
      }
      return { done: command.most };
    }
    case 'close':
      await journal?.close();
      return 'closed';
  }
}

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(JSON.stringify({ ok: await perform(JSON.parse(line) as StoreCommand) }));
  } catch (error) {
    console.log(JSON.stringify({ code: isReviewError(error) ? error.code : String(error) }));
  }
}
