import { describe, expect, it } from 'vitest';
import { codeCriteria } from '@/criteria/code/code-criteria.js';
import { textCriteria } from '@/criteria/text/text-criteria.js';
import { decide, filesOf, pageWith, verdict } from './decide.js';

const tea = '# Tea\n\nI like\n**green** tea.\n\n## Shops\n\n- London\n- Paris\n\n[Home](a.md)\n';

describe('what the checks for texts decide', () => {
  it.each([
    ['The document must mention "green tea"', tea, 'satisfied'],
    ['The document must mention "black tea"', tea, 'violated'],
    ['The document must mention "Green tea"', tea, 'undecided'],
    ['The document must mention "green tea"', '# Tea\n\nTODO: green tea\n', 'undecided'],
    ['The document must mention "green tea"', '# Tea\n\n<!-- green tea -->\n', 'undecided'],
    ['The document must mention "green tea"', '# Tea\n\n- [ ] green tea\n', 'undecided'],
    [
      'The document must mention "green tea"',
      '<details>\n\ngreen tea\n\n</details>\n',
      'undecided',
    ],
    ['The document must not mention "green tea"', tea, 'violated'],
    ['The document must not mention "black tea"', tea, 'satisfied'],
    ['The document must have a section "Shops"', tea, 'satisfied'],
    ['The document must have a section "Prices"', tea, 'violated'],
    ['The document must have a section "London"', tea, 'undecided'],
    ['The document must have exactly one h1', tea, 'satisfied'],
    ['The document must have at least two sections', '# A\n\n## B\n\n### C\n', 'undecided'],
    ['The document must have at least two sections', '# A\n\n## B\n\n## C\n', 'satisfied'],
    ['The document must have at least two headings', tea, 'satisfied'],
    ['The document must have exactly two list items', tea, 'satisfied'],
    ['The document must have at least three list items', tea, 'violated'],
    ['The document must contain a link', tea, 'satisfied'],
    ['The document must contain exactly one link', tea, 'satisfied'],
    ['The document must not contain images', tea, 'satisfied'],
    ['The document must contain an image', `${tea}![Tea](a.png)\n`, 'satisfied'],
    ['The document must contain a table', tea, 'violated'],
    ['The document must contain a table', `${tea}\n| a | b |\n|---|---|\n| 1 | 2 |\n`, 'satisfied'],
    ['The document must contain two code blocks', '```\na\n```\n\n~~~\nb\n~~~\n', 'undecided'],
    ['The document must contain two code blocks', '```\na\n```\n\n```\nb\n```\n', 'satisfied'],
    ['The document must contain a code block', tea, 'violated'],
    ['The document must contain a form', tea, 'undecided'],
    ['The text must be at most 8 words long', tea, 'undecided'],
    ['The text must be at most 12 words long', tea, 'satisfied'],
    ['The text must have at least 20 words', tea, 'violated'],
    ['The text must be at most 20 characters long', tea, 'violated'],
    ['The text must be at most 11 lines long', tea, 'satisfied'],
    ['The text must be exactly 11 lines long', tea, 'undecided'],
    ['The text must be at least 100 words long', `${'well-known tea '.repeat(49)}\n`, 'undecided'],
    ['The text must be at least 100 words long', `${'green tea '.repeat(50)}\n`, 'satisfied'],
  ])('%s: %j is %s', async (requirement, text, expected) => {
    expect(await verdict(requirement, filesOf({ 'tea.md': text }))).toBe(expected);
  });

  it('a plan beside the text proves nothing [R2-036]', async () => {
    const wants = 'The document must mention "green tea"';
    const plan = {
      'plan.md': '# Plan\n\nWrite about green tea\n',
      'tasks.json': '{"t":"green tea"}',
    };
    expect(await verdict(wants, filesOf({ ...plan, 'tea.md': '# Tea\n' }))).toBe('violated');
    expect(await verdict(wants, filesOf(plan))).toBe('undecided');
  });

  it('leaves open which file is meant', async () => {
    const both = filesOf({ 'a.md': tea, 'index.html': pageWith('<p>Tea') });
    expect(await verdict('Include a table', both)).toBe('undecided');
    expect(await verdict('The document must mention "green tea"', both)).toBe('undecided');
    expect(await verdict('a.md must mention "green tea"', both)).toBe('satisfied');
    expect(await verdict('index.html must show "green tea"', both)).toBe('violated');
    const code = filesOf({ 'a.md': tea, 'a.ts': 'let a = 1;\n' });
    expect(await verdict('The output must not contain "a = 1"', code)).toBe('undecided');
  });
});

describe('what the checks for files decide', () => {
  it.each([
    ['Create `docs/a.md`', { 'docs/a.md': '# A' }, 'satisfied'],
    ['Create `docs/a.md`', { 'docs/b.md': '# A' }, 'violated'],
    ['Create `docs/a.md`', { 'docs/a.md': ' \n', 'b.md': 'b' }, 'undecided'],
    ['Create a.md', { 'docs/a.md': '# A' }, 'undecided'],
    ['The output must not contain a file `a.md`', { 'b.md': 'b' }, 'satisfied'],
    ['config.json must be valid JSON', { 'config.json': '{"a":1}' }, 'satisfied'],
    ['config.json must be valid JSON', { 'config.json': '{"a":1' }, 'violated'],
    ['config.json must be valid JSON', { 'config.json': '{"a":1,}' }, 'undecided'],
    ['config.json must be valid JSON', { 'other.json': '{' }, 'undecided'],
    ['All YAML files must be valid', { 'a.yml': 'a: 1\n', 'b.yaml': 'a: [1\n' }, 'violated'],
    ['All YAML files must be valid', { 'a.yml': 'a: 1\n' }, 'satisfied'],
    ['The output must be valid JSON', { 'a.txt': '[1, 2]' }, 'satisfied'],
    ['The code must not contain TODOs', { 'a.ts': '// TODO: implement\n' }, 'violated'],
    ['The code must not contain TODOs', { 'a.ts': 'let todo = 1;\n' }, 'undecided'],
    ['The code must not contain TODOs', { 'a.ts': 'let a = 1;\n' }, 'satisfied'],
    ['No secrets', { 'a.ts': 'let a = 1;\n' }, 'satisfied'],
    ['No secrets', { 'a.ts': 'const k = "AKIA2E3MF7Q9ZT4BVW5X";\n' }, 'violated'],
    ['No secrets', { 'a.ts': 'const password = "hunter2";\n' }, 'undecided'],
    ['No placeholder text', { 'a.md': 'Lorem ipsum dolor sit amet\n' }, 'violated'],
    ['No placeholder text', { 'a.md': 'Green tea, coming soon\n' }, 'undecided'],
    ['No placeholder text', { 'a.md': 'Green tea\n' }, 'satisfied'],
    ['No merge conflicts', { 'a.md': '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n' }, 'violated'],
    ['No merge conflicts', { 'a.md': 'Tea\n' }, 'satisfied'],
    ['No broken links', { 'a.md': '# Tea\n\n[Top](#tea)\n' }, 'satisfied'],
    ['No broken links', { 'a.md': '# Tea\n\n[Top](#shops)\n' }, 'violated'],
    ['No broken links', { 'a.md': '# Tea\n\n[Web](https://a.example)\n' }, 'undecided'],
    ['No broken local links', { 'a.md': '# Tea\n\n[Web](https://a.example)\n' }, 'satisfied'],
    ['No broken links', { 'a.md': '# Tea\n' }, 'undecided'],
  ])('%s: %j is %s', async (requirement, files, expected) => {
    expect(await verdict(requirement, filesOf(files))).toBe(expected);
  });

  it('shows no secret as evidence', async () => {
    const output = filesOf({ 'a.ts': 'const k = "AKIA2E3MF7Q9ZT4BVW5X";\n' });
    const decision = await decide('The output must not contain secrets', output);
    expect(JSON.stringify(decision)).not.toContain('AKIA2E3MF7Q9ZT4BVW5X');
    expect(decision?.evidence?.[0]).toMatchObject({ file: 'a.ts', line: 1 });
  });

  it('criteria for texts and code decide over all files', async () => {
    const output = filesOf({ 'a.md': 'Tea', 'a.ts': 'const k = "AKIA2E3MF7Q9ZT4BVW5X";\n' });
    for (const id of ['text-secrets', 'code-secrets']) {
      const found = [...textCriteria(), ...codeCriteria()].find((one) => one.id === id);
      expect(await found?.decides?.('No secrets', output, { previous: [] })).toMatchObject({
        satisfied: false,
      });
    }
  });
});
