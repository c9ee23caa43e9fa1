import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileStore } from '../../../src/stores/file/index.js';
import { encodeLine } from '../../../src/stores/file/journal-line.js';
import { describeCorpora } from '../../support/corpora.js';
import { filesIn, header, newDirectory } from './file-support.js';

describeCorpora('JSON files of all kinds as a journal', (corpora) => {
  const folder = join(corpora, 'json-parsing', 'test_parsing');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const line = encodeLine({ epoch: 1, index: 0, blobs: [], record: JSON.stringify(header('a')) });

  /** How opening fails; `opened` when it does not. */
  async function opening(content: Buffer): Promise<string> {
    const directory = newDirectory();
    mkdirSync(join(directory, 'runs/a'), { recursive: true });
    writeFileSync(join(directory, 'runs/a/journal.jsonl'), content);
    const store = fileStore(directory);
    const before = filesIn(directory);
    const code = await (async () => (await store.open('a', true)).close())().then(
      () => 'opened',
      (error: { code: string }) => error.code,
    );
    if (code !== 'opened') expect(filesIn(directory)).toEqual(before);
    return code;
  }

  it.each(names)('%s is refused with a typed error, and left as it is', async (name) => {
    const content = readFileSync(join(folder, name));
    // nothing, and the first byte of every line, are what a crash can leave
    const torn = content.length === 0 || content.toString('latin1') === '{';
    const terminated = Buffer.concat([content, Buffer.from('\n')]);
    expect([await opening(content), await opening(Buffer.concat([line, content]))]).toEqual(
      torn ? ['opened', 'opened'] : ['journal_corrupt', 'journal_corrupt'],
    );
    expect([
      await opening(terminated),
      await opening(Buffer.concat([line, terminated, line])),
    ]).toEqual(['journal_corrupt', 'journal_corrupt']);
  });

  it('are many', () => expect(names.length).toBeGreaterThan(300));
});
