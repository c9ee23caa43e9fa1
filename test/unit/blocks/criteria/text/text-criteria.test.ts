import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageText } from '@/blocks/criteria/text/placeholders.js';
import { textCriteria } from '@/blocks/criteria/text/text-criteria.js';
import { agentRequest } from '@/products/self-review/agent.js';
import { context, judgedBy, outputOf } from '../support.js';

type Files = string | Readonly<Record<string, string>>;
const judge = (id: string, files: Files, task = '') => {
  const given = typeof files === 'string' ? { 'README.md': files } : files;
  const about = [outputOf('document', given), agentRequest(task)] as const;
  return judgedBy(textCriteria(), `text-${id}`, about);
};

const lines = async (id: string, files: Files): Promise<unknown[]> =>
  ((await judge(id, files)).findings ?? []).map(({ line }) => line);

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are texts of files
/** Real-looking documents in which nothing is wrong. */
const fine: Readonly<Record<string, string>> = {
  'a README about a TODO app':
    '# Todo\n\nA TODO app. Keep your TODO list in one place; FIXME comments are found too.\n\n## TODO\n\n- [ ] Dark mode\n- [x] Search\n\nRun `grep TODO` or:\n\n```sh\n# TODO: your code here\n// ... existing code ...\n```\n\nThe marks are `TODO:`, `TBD` and "FIXME:".\n',
  'a blog post about lorem ipsum':
    '# Where lorem ipsum comes from\n\nLorem ipsum is filler text. Its beginning, "Lorem ipsum dolor sit amet", is from Cicero.\n\n> Lorem ipsum dolor sit amet, consectetur\n\nUse lorem ipsum with care.\n',
  'a page about merge conflicts':
    '# Conflicts\n\nGit writes marks:\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n```\n\nTitle\n=======\n\nText.\n',
  'a page about assistants':
    '# Refusals\n\nMany answers begin with "As an AI language model, I cannot". Others say: Certainly!\n\n> As an AI language model, I cannot help.\n\nWe remove them.\n',
  'a page about keys':
    '# Keys\n\nSet `OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx`, or `api_key: "${API_KEY}"`. AWS shows AKIAIOSFODNN7EXAMPLE.\n\n```sh\nexport TOKEN=<your-token>\npsql postgres://user:password@localhost/db\ncurl -H "Authorization: Bearer YOUR_TOKEN_1234567890"\n```\n',
  'a page with all kinds of links':
    '# Überblick & Co.\n\n## Setup\n\n## Setup\n\n<a name="here"></a>\n\n### With `code` and [a link](https://x.y)\n\n### Named {#own}\n\n[a](#überblick--co) [b](#setup-1) [c](#here) [d](#with-code-and-a-link) [e](#own) [f](https://x.y/z.md) [g](mailto:a@b.c) [h](/abs.md) [i](docs/other.md) [j][ref] `[k](no.md)` [l](#)\n\n[ref]: #setup\n\n```md\n[m](no.md)\n```\n<!-- [n](no.md) -->\n',
  'a nested fence':
    'Text:\n\n````md\n```ts\nlet a;\n```\n````\n\n~~~\n```\n~~~\n\n- item\n  ```sh\n  ls\n  ```\n',
  'front matter': '---\ntitle: "A: b"\ntags: [a, b]\n---\n\n# A\n\nText.\n',
  'a letter': 'Dear Ann,\n\nthank you for the book.\n\nIt is good.\n\nBest wishes\nBob\n',
  'ends in a list':
    '# A\n\nWe need:\n\n- milk\n- bread and butter\n- the red wine that we had on Sunday\n',
  'ends in a table': '| a | b |\n|---|---|\n| 1 | the |\n',
  'ends with an address': 'See this.\n\nMore of it at https://example.org/a\n',
  Chinese: '# 标题\n\n这是一个段落。\n\n最后一段没有标点\n',
  Arabic: '# عنوان\n\nهذه فقرة.\n',
};

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are texts of files

describe('documents in which nothing is wrong', () => {
  for (const [name, text] of Object.entries(fine)) {
    it(name, async () => {
      for (const { id } of textCriteria())
        for (const written of [text, text.replaceAll('\n', '\r\n')]) {
          const { findings = [] } = await judge(id.replace('text-', ''), written);
          expect([id, findings]).toEqual([id, []]);
        }
    });
  }
});

describe('places to fill in', () => {
  const marked = [
    'Dear [Name], your order is on its way.',
    'Your order [order number] is on its way.',
    'We at [Company Name] thank you.',
    'Call us at [phone], or write to [Email Address].',
    'Signed on [date] in [City], by [Full Name]',
    'Dear {name}, welcome.',
    'Your order {order number} is late.',
    'Hi <name>,',
    'Write to <your email> at once.',
    'The sum of ___ is due on Friday.',
    'It is due on ____.',
  ];
  for (const text of marked)
    it(`"${text}" holds one, in a text and in a page [R2-094]`, async () => {
      expect(await lines('placeholders', `# A letter\n\n${text}\n`)).toEqual([3]);
      const escaped = text.replaceAll('<', '&lt;');
      const page = `<!doctype html>\n<title>A</title>\n<p class="[name]">${escaped}</p>\n`;
      const isTag = text.includes('<');
      expect(await lines('placeholders', { 'index.html': page })).toEqual(isTag ? [] : [3]);
    });

  const fine = [
    'See [Name](https://example.org) and [the company name][1].\n\n[1]: https://example.org',
    'As shown [1], [Smith 2020], [^name] and [@smith].',
    '- [ ] Name\n- [x] Date',
    'Call `/users/{name}` with `[name]` and <https://example.org/{name}>.',
    'The path is /users/{user name} or users[name].',
    'The option takes {number}; it returns a list[number] or [number].',
    'Hello {{name}}, from a template.',
    'Name: ______',
    'Name ________________',
    'a\n\n___\n\nb',
    'Use snake_case and __init__ or **bold** and ___both___.',
    'git checkout <branch name>',
    '```\nDear [Name],\n```',
    '> Dear [Name],',
    '[name]: https://example.org',
  ];
  for (const text of fine)
    it(`"${text.slice(0, 40)}" holds none [R2-094]`, async () => {
      expect(await lines('placeholders', `# A\n\n${text}\n`)).toEqual([]);
    });

  it('scripts, styles, attributes and code of a page hold none [R2-094]', async () => {
    const page =
      '<title>A</title><style>[title] {}</style><script>find("[name]")</script><a title="[date]">b</a><code>[name]</code><p>c</p>';
    expect(await lines('placeholders', { 'index.html': page })).toEqual([]);
  });
});

describe('placeholders', () => {
  it('in prose, lists, tables and brackets, each by its line', async () => {
    const text =
      '# A\n\nTODO: write this\n\n- TBD\n\nOwner: TBD\n\n| a | TBD |\n\nThe date is [TODO: date] here.\n\nDear [Your Name],\n\n[INSERT LOGO]\n\nLorem ipsum dolor sit amet, consectetur.\n\nSee the plan. TODO: write the rest\n';
    const marked = [3, 5, 7, 9, 11, 13, 15, 17, 19];
    expect(await lines('placeholders', text)).toEqual(marked);
    expect(await lines('placeholders', text.replaceAll('\n', '\r\n'))).toEqual(marked);
    expect((await judge('placeholders', text)).findings?.[2]).toMatchObject({
      file: 'README.md',
      evidence: 'Owner: TBD',
      description: 'a placeholder was left: TBD',
    });
  });

  it('in pages', async () => {
    const page =
      '<h1>A</h1>\n<!-- TODO later -->\n<p>TBD</p>\n<p>Lorem ipsum dolor sit amet</p>\n<input placeholder="your name">\n<p>Our TODO list</p>\n';
    expect(await lines('placeholders', { 'a.html': page })).toEqual([2, 3, 4]);
  });
});

describe('merge conflicts', () => {
  it('with all their marks', async () => {
    const two =
      '# A\n<<<<<<< HEAD\na\n||||||| base\nx\n=======\nb\n>>>>>>> other\n\nText\n<<<<<<< HEAD\nc\n=======\nd\n>>>>>>> e\n';
    expect(await lines('conflict-markers', two)).toEqual([2, 11]);
    const one = '<<<<<<<\r\na\r\n=======\r\nb\r\n>>>>>>>\r\n';
    expect(await lines('conflict-markers', { 'a.txt': one })).toEqual([1]);
  });

  it.each([
    ['Tea\n<<<<<<< HEAD\nis hot\n', [2]],
    ['<<<<<<<\n', [1]],
    ['Tea\n\n>>>>>>> feature/tea\nis hot\n', [3]],
    ['Tea is hot\r\n>>>>>>>\r\n', [2]],
    ['Tea\n||||||| base\nis hot\n', [2]],
    ['<<<<<<< a\n<<<<<<< b\n>>>>>>> c\n\nx\n>>>>>>> d\n', [1, 2, 6]],
    ['Tea\n=======\n', []],
    ['Teapots\n<<<<<<<\n\nText\n', []],
    ['Teapots\r\n>>>>>>>\r\n\r\nText\r\n', []],
    ['> a\n>>>>>>> deeply quoted\n', []],
    ['>>>>>>> deeply quoted\n> a\n', []],
    ['| a | b |\n|||||||\n| c | d |\n', []],
    ['Tea <<<<<<< hot\n', []],
  ])('with one mark alone: %j [R3-008]', async (source, expected) => {
    expect(await lines('conflict-markers', { 'a.md': source })).toEqual(expected);
  });
});

describe('links', () => {
  it('anchors that are not there, in the file and in others', async () => {
    expect(await lines('links', '# A\n\n[x](#b)\n\n[y](#a-1)\n')).toEqual([3, 5]);
    const files = {
      'a.md': '[x](b.md#no) [y](b.md#yes) [z](c.html#i) [w](c.html#j)',
      'b.md': '# Yes\n',
      'c.html': '<p id="i">',
    };
    expect((await judge('links', files)).findings?.map(({ description }) => description)).toEqual([
      'the link leads to #no, which b.md does not have',
      'the link leads to #j, which c.html does not have',
    ]);
  });

  it('files that are not there, where their siblings were given', async () => {
    const files = {
      'README.md':
        '[a](docs/a.md) [b](docs/b.md) [c](other/c.md) [d](LICENSE) [e](./docs/../docs/a.md?x#a) [f](../up.md) [g](docs/p.png) <a href="docs/h.md">h</a>',
      'docs/a.md': '# A\n[up](../README.md) [no](z.md)',
    };
    expect((await judge('links', files)).findings?.map(({ description }) => description)).toEqual([
      'the link leads to docs/b.md, which is missing',
      'the link leads to docs/h.md, which is missing',
    ]);
    const complete = textCriteria({ complete: true }).find(({ id }) => id === 'text-links');
    const output = outputOf('document', files);
    expect((await complete?.validate(output, undefined, context))?.findings).toHaveLength(6);
  });

  it('pages', async () => {
    const files = {
      'a.html':
        '<p id="x">\n<a href="#x">1</a>\n<a href="#y">2</a>\n<a href="b.html">3</a>\n<a href="c.html">4</a>\n<!-- <a href="d.html"> -->\n<img src="e.png">',
      'b.html': '<p>',
    };
    expect(await lines('links', files)).toEqual([3, 5]);
  });
});

describe('fences, front matter and ends', () => {
  it('a fence that is not closed', async () => {
    expect(await lines('code-fences', 'a\n\n```ts\nlet a;\n')).toEqual([3]);
    expect(await lines('code-fences', '> ~~~~\n> a\n> ~~~\n')).toEqual([1]);
  });

  it('front matter that cannot be read, with its line', async () => {
    expect(await lines('front-matter', '---\ntitle: ok\nbad: [a\n---\n\n# A\n')).toEqual([3]);
    expect((await judge('front-matter', '---\na: "x\n---\n')).passed).toBe(false);
  });

  it('a text that ends in the middle of a sentence', async () => {
    const prose =
      'One is here.\n\nTwo is here too.\n\nThree is the last.\n\nFour comes now.\n\nFive is this.\n\n';
    const last = `${prose}The last paragraph has many words and then it`;
    expect(await lines('cut-off', `${last} simply`)).toEqual([11]);
    expect(
      await lines('cut-off', `${prose}It goes on for more than seven words, and with the`),
    ).toEqual([11]);
    expect(await lines('cut-off', '# A\n\n- one\n- two and then,')).toEqual([4]);
    expect(await lines('cut-off', `${last} ends.`)).toEqual([]);
  });

  const lastWords = [
    ...['what each artifact is for', 'where the data comes from', 'which service it depends on'],
    ...['the one whose place it takes is that', 'a list of what each of them is', 'who knows when'],
    ...['the letter that it begins with is a', 'the most common English word is the', 'grade A'],
  ] as const;
  it.each(lastWords)('a list may end with %s [R3-060]', async (end) => {
    expect(await lines('cut-off', `# A\n\n- one\n- this part tells ${end}`)).toEqual([]);
  });
});

it('chatter is found at the beginning, at the end, and refusals anywhere', async () => {
  const middle = 'Text.\n\n'.repeat(5);
  const said = (text: string) => lines('chatter', text);
  const both = `Certainly! Here is the guide.\n\n${middle}I hope this helps!\n`;
  expect(await said(both)).toEqual([1, 13]);
  expect(await said(`Here's the updated file:\n\n# A\n\n${middle}`)).toEqual([1]);
  const refusal = 'As an AI language model, I cannot do that.';
  expect(await said(`# A\n\n${middle}${refusal}\n\n${middle}`)).toEqual([13]);
  const hope = 'I hope this helps those who read it.';
  expect(await said(`# A\n\n${middle}${hope}\n\n${middle}`)).toEqual([]);
});

describe('secrets', () => {
  const key = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;

  it('are found, and stand in no finding', async () => {
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA3x'.repeat(10)}\n-----END RSA PRIVATE KEY-----`;
    const text = `# A\n\nUse ${key} now.\n\nhttps://bob:s3cr3tW0rd@internal.corp/x\n\n${pem}\n\nAKIAQ7T5M2N8P4R6S1VX\n`;
    const result = await judge('secrets', text);
    expect(result.findings?.map(({ line, description }) => [line, description])).toEqual([
      [3, 'looks like a secret (github)'],
      [5, 'looks like a secret (url-credentials)'],
      [7, 'looks like a secret (private-key)'],
      [11, 'looks like a secret (aws)'],
    ]);
    for (const secret of [key, 's3cr3tW0rd', 'MIIEow', 'AKIAQ7T5'])
      expect(JSON.stringify(result)).not.toContain(secret);
  });
});

describe('files that were asked for', () => {
  const task =
    'Write `docs/guide.md` and README.md. Use the data from `input.md`. Do not create notes.md. See https://x.y/z.md. Create any *.md you need with Node.js. Save the page as out/index.html';

  it('are named when they are missing', async () => {
    expect(await judge('task-files', { 'README.md': 'x' }, task)).toMatchObject({
      passed: false,
      details: 'Missing files: docs/guide.md, out/index.html',
    });
    const given = { 'site/README.md': 'x', 'docs/guide.md': 'x', 'out/index.html': 'x' };
    expect(await judge('task-files', given, task)).toMatchObject({ passed: true });
    expect(await judge('task-files', 'x', 'Improve the text')).toMatchObject({
      skipped: expect.stringContaining('asks for no'),
    });
  });
});

describe('textCriteria', () => {
  it('skips what is not there, and refuses options that are not known', async () => {
    for (const { id } of textCriteria())
      expect((await judge(id.replace('text-', ''), { 'a.bin': 'x' })).skipped).toBeTruthy();
    expect(() => textCriteria({ complete: 1 as never })).toThrow(/complete/);
    expect(() => textCriteria({ all: true } as never)).toThrow(/no option `all`/);
  });

  it('reads a plain text output as Markdown', async () => {
    const found = textCriteria().find(({ id }) => id === 'text-code-fences');
    expect(await found?.validate('```\n' as never, undefined, context)).toMatchObject({
      passed: false,
    });
  });
});

describe('a file that has nothing for a criterion', () => {
  it.each([
    ['links', '# Tides\n\nHigh water at noon.\n'],
    ['links', '# Tides\n\n[all tides](https://a.example/tides)\n'],
    ['links', '# Tides\n\n[the map](pictures/map.png)\n'],
    ['code-fences', '# Tides\n\nHigh water at noon, `low` at six.\n'],
    ['front-matter', '# Tides\n\nHigh water at noon.\n'],
  ])('does not pass it: %s, %j', async (id, source) => {
    expect(await judge(id, source)).toMatchObject({
      passed: false,
      skipped: 'nothing to judge was found',
    });
  });

  it.each([
    ['links', '# Tides\n\n[the table](#tides)\n'],
    ['code-fences', '# Tides\n\n> ```\n> noon\n> ```\n'],
    ['front-matter', '---\ntitle: Tides\n---\n\n# Tides\n'],
  ])('is another one than a file with something: %s, %j', async (id, source) => {
    const result = await judge(id, source);
    expect([result.passed, result.skipped]).toEqual([true, undefined]);
  });

  it('is not counted among those that were judged', async () => {
    const files = {
      'a.md': '# A\n\n[b](#b)\n',
      'b.md': '# B\n\nText.\n',
      'c.md': '# C\n\n[c](#c)\n',
    };
    expect((await judge('links', files)).details).toMatch(/^1 finding in 2 files: /);
  });
});

describe('pageText', () => {
  it('blanks tags, scripts, styles and code, and keeps every place', () => {
    const page = '<p title="a">One</p><script>two()</script> <pre>three</pre> 1 < 2 <b';
    expect(pageText(page)).toBe(
      page.replaceAll(/<p[^>]*>|<\/p>|<script.*pre>/g, (tag) => ' '.repeat(tag.length)),
    );
  });

  it('many tags without an end are read like a few', () => {
    // each was searched for its end on its own, which took seconds
    const tag = /<[a-z/!][^>]{0,5000}>/gi;
    const piece = fc.constantFrom(
      ...['<a ', '<', '>', '</b', '<!-- ', 'text', '\n', 'x'.repeat(4999), 'x'.repeat(4000)],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
        const page = parts.join('');
        expect(pageText(page)).toBe(page.replace(tag, (found) => ' '.repeat(found.length)));
      }),
    );
    expect(pageText('<a '.repeat(300_000))).toHaveLength(900_000);
  });
});
