import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { columns, record, saidBy } from '../../scripts/terminal-picture/recording.mjs';
import { playTerminal } from '../../scripts/terminal-picture/terminal-cells.mjs';
import { bundle } from '../support/bundle.js';
import { hasPty } from '../support/pty.js';

describe.runIf(hasPty)('the picture of the terminal', () => {
  it('shows what the program shows; else run `npm run picture`', async () => {
    const picture = readFileSync('docs/terminal.svg', 'utf8');
    const [, shown = ''] = /<desc id="d">([\s\S]*?)<\/desc>/.exec(picture) ?? [];
    const program = await bundle({ file: 'src/faces/cli/bin.ts' }, 'bin');
    const { whole } = await record(program, 10);
    const said = saidBy(playTerminal(whole, columns).lines);
    const plain = shown.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
    expect(plain).toBe(said.replace(/\n{2,}/g, '\n'));
  });
});
