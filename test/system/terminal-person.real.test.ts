import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { newFolder } from '../resume/children.js';
import { bundle } from '../support/bundle.js';
import { itInTerminal, type Terminal, terminal } from '../support/tmux.js';

interface Asked extends Terminal {
  /** What the program took for the answer, once it has ended. */
  readonly answer: () => Promise<unknown>;
}

async function ask(mode: string): Promise<Asked> {
  const program = await bundle({ file: 'test/system/terminal-child.ts' }, 'terminal-child');
  const out = join(newFolder(), 'answer.json');
  const opened = terminal(`'${process.execPath}' '${program}' ${mode} '${out}'; sleep 60`);
  const answer = async (): Promise<unknown> => {
    for (let attempt = 0; attempt < 4000 && !existsSync(out); attempt += 1)
      await new Promise((done) => setTimeout(done, 50));
    return JSON.parse(readFileSync(out, 'utf8')) as unknown;
  };
  return { ...opened, answer };
}

describe('a person at a real terminal', () => {
  itInTerminal('types one of four keys', async () => {
    for (const [key, expected] of [
      ['a', { kind: 'approve', by: 'Ada' }],
      ['r', { kind: 'reject', by: 'Ada' }],
      ['f', { kind: 'revise', by: 'Ada', note: 'the findings' }],
      ['s', { kind: 'skip', by: 'Ada' }],
    ] as const) {
      const { until, type, answer } = await ask('key');
      const screen = await until(/Let it out\?[\s\S]*decide later/);
      expect(screen).toMatch(/═{50}\nReview: T-1 — tea\n═{50}\nSUMMARY of it\n/);
      type(key);
      expect(await answer()).toEqual(expected);
    }
  });

  itInTerminal(
    'types words, is asked again, looks at the changes, and gives a reason',
    async () => {
      const { until, type, press, answer } = await ask('line');
      await until(/\[a\]pprove/);
      type('maybe');
      press('Enter');
      await until(/Invalid choice\. Use: a, r, f, s, o, or v/);
      press('C-u');
      type('view');
      press('Enter');
      await until(/CHANGES[\s\S]*\[a\]pprove/);
      type('override');
      press('Enter');
      await until(/Reason for override:/);
      press('Enter');
      await until(/This needs a reason/);
      type('legal has checked it');
      press('Enter');
      expect(await answer()).toEqual({
        kind: 'override',
        by: 'Ada',
        reason: 'legal has checked it',
      });
    },
  );

  itInTerminal(
    'goes through the menu with arrow keys, and a stray Enter decides nothing',
    async () => {
      const { until, press, answer } = await ask('menu');
      await until(/Let it out\?[\s\S]*decide later/);
      press('Enter');
      await until(/CHANGES[\s\S]*decide later/);
      press('Up', 'Up', 'Up', 'Up', 'Up');
      await until(/● approve/);
      press('Enter');
      await until(/Reason \(optional\)/);
      press('Enter');
      expect(await answer()).toEqual({ kind: 'approve', by: 'Ada' });
    },
  );

  itInTerminal(
    'leaves by Ctrl-C, Ctrl-D, or by closing the terminal: no answer, and no approval',
    async () => {
      for (const mode of ['key', 'line', 'menu']) {
        for (const leave of ['C-c', 'C-d', 'close'] as const) {
          const { until, press, close, answer } = await ask(mode);
          await until(/Let it out\?[\s\S]*(decide later|\[q\])/);
          if (leave === 'close') close();
          else press(leave);
          expect(await answer(), `${mode} ${leave}`).toBe('no answer');
        }
      }
    },
  );
});
