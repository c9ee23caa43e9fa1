import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStored, writeStored } from '@/node/store-file.js';
import { errorWith, expectCode } from '../../support/matchers.js';
import { fileFolder } from '../../support/temp-folder.js';

const folder = fileFolder('kept-file');
const contents = (place: string) =>
  Object.fromEntries(
    readdirSync(place).map((name) => [name, readFileSync(join(place, name), 'utf8')]),
  );

describe('a file that is kept', () => {
  it('is made with the folders above it, and replaced', async () => {
    const path = join(folder, 'a/b/state.json');
    expect(await readStored(path)).toBeUndefined();
    await writeStored(path, 'one');
    await writeStored(path, 'two');
    expect(await readStored(path)).toBe('two');
    expect(contents(join(folder, 'a/b'))).toEqual({ 'state.json': 'two' });
  });

  it('leaves what stood there before under the next free name, unless it is the same', async () => {
    const place = join(folder, 'c');
    const path = join(place, 'notes.md');
    const earlier = (number: number): string => join(place, `notes.${number}.md`);
    for (const text of ['one', 'one', 'two']) await writeStored(path, text, earlier);
    writeFileSync(earlier(2), 'of somebody else');
    await writeStored(path, 'three', earlier);
    expect(contents(place)).toEqual({
      'notes.md': 'three',
      'notes.1.md': 'one',
      'notes.2.md': 'of somebody else',
      'notes.3.md': 'two',
    });
  });

  it('is refused with a typed error where it can be neither read nor kept', async () => {
    writeFileSync(join(folder, 'file'), 'x');
    await expectCode(readStored(folder), 'file_unreadable');
    await expectCode(writeStored(join(folder, 'file/below'), 'x'), 'output_unwritable');
    await expect(
      writeStored(join(folder, 'file'), 'y', () => join(folder, 'not/there')),
    ).rejects.toMatchObject(errorWith('output_unwritable', 'cannot copy '));
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('x');
  });
});
