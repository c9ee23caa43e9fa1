import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.js';
import { tempFolder } from '../support/temp-folder.js';
import { bundled, start } from './children.js';

describeInBrowser('verdicts on pages, over processes', () => {
  it('are reused without a browser until a file of the page changes', async () => {
    const folder = tempFolder('pages');
    const verdicts = tempFolder('verdicts');
    writeFileSync(
      join(folder, 'index.html'),
      '<!DOCTYPE html><html lang="en"><title>A</title><link rel="stylesheet" href="a.css"><main><h1>A</h1><p>Text</p></main>',
    );
    writeFileSync(join(folder, 'a.css'), 'p { color: #000 }');
    const program = await bundled('page-review-child');
    const reviewed = async (): Promise<string | undefined> => {
      const child = start(program, [folder, verdicts]);
      const line = await child.line();
      await child.exit;
      return line;
    };

    expect(await reviewed()).toBe('1 visits, approved, 0 gaps');
    expect(await reviewed()).toBe('0 visits, approved, 0 gaps');
    // the same size and the same time
    writeFileSync(join(folder, 'a.css'), 'p { color: #ccc }');
    utimesSync(join(folder, 'a.css'), 1_000_000, 1_000_000);
    expect(await reviewed()).toMatch(/^1 visits, \w+, 1 gaps$/);
    expect(await reviewed()).toMatch(/^0 visits, \w+, 1 gaps$/);
  });
});
