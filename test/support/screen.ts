import { PassThrough } from 'node:stream';
import type { TerminalStreams } from '@/faces/people/prompts.js';

/** A terminal without a process: what is shown on it, and somebody who types. */
export interface Screen extends TerminalStreams {
  readonly input: PassThrough & { readonly isTTY: boolean };
  readonly text: () => string;
  /** Types once the screen shows a text that it did not before. */
  readonly type: (after: string, keys: string) => Promise<void>;
}

export function screen(): Screen {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 50 });
  let shown = '';
  let seen = 0;
  const waiting = new Set<() => void>();
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
    for (const wake of waiting) wake();
  });
  return {
    input,
    output,
    text: () => shown,
    type: async (after, keys) => {
      for (let at = shown.indexOf(after, seen); at === -1; at = shown.indexOf(after, seen)) {
        await new Promise<void>((wake) => {
          waiting.add(wake);
        });
      }
      seen = shown.length;
      await new Promise((done) => setImmediate(done));
      input.write(keys);
    },
  };
}
