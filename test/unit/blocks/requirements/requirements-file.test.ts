import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RequirementExtractor } from '@/blocks/requirements/requirement-extractor.js';
import {
  fileRequirements,
  parseRequirementsFile,
  requirementsText,
} from '@/blocks/requirements/requirements-file.js';

const head = 'version: 1\ntask: T.md\ndigest: x\nrequirements:\n';
const parse = (text: string) => parseRequirementsFile(text, 'T.requirements.yml');

describe('a requirements file', () => {
  it('every scalar is a text', async () => {
    const { requirements } = await parse(
      `${head}  - id: R1\n    text: 404\n  - id: R2\n    text: yes\n    strength: may\n  - { id: R3, text: "It must: # be", whole: true }`,
    );
    expect(requirements).toEqual([
      { id: 'R1', text: '404', strength: 'SHOULD' },
      { id: 'R2', text: 'yes', strength: 'MAY' },
      { id: 'R3', text: 'It must: # be', strength: 'MUST', whole: true },
    ]);
  });

  it('comments, quotes and the order of keys survive writing it again', async () => {
    const before = `# ours\n${head}  # asked by Mia\n  - text: "Guests can buy" # yes\n    id: R1\n`;
    const { requirements } = await parse(before);
    const [first] = requirements;
    const added = { id: 'R2', text: 'New: one', strength: 'MUST', line: 3 } as const;
    const text = await requirementsText(
      { task: 'T.md', digest: 'y', requirements: [...(first ? [first] : []), added] },
      before,
    );
    expect(text).toBe(
      `# ours\nversion: 1\ntask: T.md\ndigest: y\nrequirements:\n  # asked by Mia\n  - text: "Guests can buy" # yes\n    id: R1\n    strength: SHOULD\n\n  - id: R2\n    text: "New: one"\n    strength: MUST\n    line: 3\n`,
    );
  });

  const r1 = `${head}  - id: R1\n`;
  const x = `${r1}    text: x\n`;
  it.each([
    ['nothing', '', '1: expected the keys'],
    ['a text', 'hello', '1: expected the keys'],
    ['broken YAML', `${head}  - id: "R1\n`, 'T.requirements.yml:'],
    ['another version', head.replace('1', '2'), '1: version 2 is not known'],
    ['no list', `${head}  id: R1`, '5: `requirements` is not a list'],
    ['an entry that is a text', `${head}  - It must be`, '5: expected a requirement'],
    ['an unknown key', `${r1}    texts: x`, '6: unknown key "texts"; the nearest key is text'],
    ['a far key', `${r1}    owner: x`, '6: unknown key "owner"; the keys are id, text'],
    ['no id', `${head}  - text: x`, '5: `id` must be a letter'],
    ['an id with spaces', `${head}  - text: x\n    id: R 1`, '6: `id` must be a letter'],
    ['no text', `${head}  - id: R1`, '5: R1 has no `text`'],
    ['an empty text', `${r1}    text: " "`, '6: R1 has no `text`'],
    ['a long text', `${r1}    text: ${'x'.repeat(5000)}`, 'longer than 4000'],
    ['a list as text', `${r1}    text: [a]`, '6: `text` is not a text'],
    [
      'an unknown strength',
      `${x}    strength: high`,
      '7: `strength` of R1 is "high"; expected MUST, SHOULD, MAY, OUT',
    ],
    ['line zero', `${x}    line: 0`, '7: `line` of R1'],
    [
      'an id twice',
      `${x}  - id: R1\n    text: y`,
      '7: the id R1 is used twice; the first is in line 5',
    ],
    [
      'a text twice',
      `${x}  - id: R2\n    text: x`,
      '7: the text of R2 is used twice; the first is in line 5',
    ],
    ['a key twice', `${r1}    id: R2\n    text: x`, '6: the key id is used twice'],
    [
      'an empty list',
      head.replace('requirements:\n', 'requirements: []'),
      'no requirement to judge',
    ],
    ['all left out', `${x}    strength: OUT`, 'no requirement to judge'],
    ['an alias', `${r1}    text: &a x\n  - id: R2\n    text: *a`, '8: `text` is not a text'],
  ])('%s is refused with its line', async (_, text, message) => {
    await expect(parse(text)).rejects.toMatchObject({
      code: 'requirements_invalid',
      kind: 'input',
      message: expect.stringContaining(message) as string,
    });
  });

  it.each([
    ['aliases of aliases', `a: &a [x, x]\nb: &b [${'*a, '.repeat(9)}]\nc: [${'*b, '.repeat(9)}]`],
    ['nested lists', '['.repeat(200_000)],
    [
      'nested maps',
      Array.from({ length: 3000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
    ],
    ['too many entries', `${head}${'  - id: R1\n    text: x\n'.repeat(5001)}`],
  ])('%s are refused quickly', async (_, text) => {
    await expect(parse(text)).rejects.toMatchObject({ code: 'requirements_invalid' });
  });
});

describe('fileRequirements', () => {
  const fileOf = async (content: string | Buffer): Promise<string> => {
    const path = join(
      tmpdir(),
      `reviewloop-${process.pid}-${Math.floor(performance.now() * 1e3)}.yml`,
    );
    await writeFile(path, content);
    onTestFinished(() => rm(path, { force: true }));
    return path;
  };

  it('is exactly the list of a file, as a strategy of the extractor', async () => {
    const path = await fileOf(
      `${head}  - id: R7\n    text: It is blue\n    strength: MUST\n  - id: R8\n    text: no\n    strength: OUT`,
    );
    const extractor = new RequirementExtractor({ strategy: fileRequirements(path) });
    expect(await extractor.extract('- Something else')).toEqual([
      {
        id: 'R7',
        text: 'It is blue',
        source: 'explicit',
        kind: 'listed',
        strength: 'MUST',
        line: 1,
        endLine: 1,
        section: [],
      },
    ]);
  });

  it.each([
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x41]), 'requirements_invalid'],
    ['5 MB', Buffer.alloc(5_000_000, '#'), 'file_too_large'],
  ])('%s are refused', async (_, content, code) => {
    const strategy = fileRequirements(await fileOf(content));
    await expect((async () => strategy('x'))()).rejects.toMatchObject({ code });
  });

  it('a missing file is an error', async () => {
    const strategy = fileRequirements('no/such.yml');
    await expect((async () => strategy('x'))()).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});
