import { describe, expect, it } from 'vitest';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import type { CriterionResult, Finding } from '@/core/criterion.js';
import type { AgentOutput } from '@/products/self-review/agent.js';
import { context, gapAt, outputOf, repair } from '../support.js';

const pages = (...contents: string[]): AgentOutput =>
  outputOf(
    'mockup',
    Object.fromEntries(contents.map((content, index) => [`page${index}.html`, content])),
  );

function rule(id: string, language?: string): ReturnType<typeof htmlCriteria>[number] {
  const found = htmlCriteria(language === undefined ? {} : { language }).find(
    (criterion) => criterion.id === id,
  );
  if (found === undefined) throw new Error(id);
  return found;
}

function judge(id: string, output: AgentOutput): Promise<CriterionResult> {
  return rule(id).validate(output, undefined, context);
}

/** What all rules about names say together. */
async function judgeNames(output: AgentOutput): Promise<Finding[]> {
  const results = await Promise.all(
    htmlCriteria()
      .filter(({ id }) => id.endsWith('-name') || id === 'field-label')
      .map((criterion) => criterion.validate(output, undefined, context)),
  );
  return results.flatMap(({ findings = [] }) => findings);
}

/** Judges, has each finding repaired, and gives back the contents. */
async function repaired(
  id: string,
  output: AgentOutput,
  language?: string,
): Promise<(string | undefined)[]> {
  const criterion = rule(id, language);
  let current = output;
  for (const finding of (await criterion.validate(output, undefined, context)).findings ?? [])
    current = (await criterion.fix?.(current, gapAt(finding), repair())) ?? current;
  return current.artifacts.map((artifact) => artifact.content);
}

const whole = (body: string, head = '<title>T</title>'): string =>
  `<!doctype html>\n<html lang="en">\n<head>\n  <meta charset="utf-8">\n  ${head}\n</head>\n<body>\n${body}\n</body>\n</html>\n`;

describe('html-lang', () => {
  it('wants a language tag, and says where it is missing', async () => {
    expect(await judge('html-lang', pages('<!doctype html>\n<html>\n<p>x'))).toMatchObject({
      passed: false,
      findings: [{ file: 'page0.html', line: 2, evidence: '<html>' }],
    });
    expect((await judge('html-lang-valid', pages('<html lang="english">'))).passed).toBe(false);
    expect((await judge('html-lang', pages('<html lang="">'))).passed).toBe(false);
    expect((await judge('html-lang', pages('<html lang="pt-BR">'))).passed).toBe(true);
  });

  it('does not judge fragments, and says so', async () => {
    expect(await judge('html-lang', pages('<p>x</p>'))).toMatchObject({
      passed: false,
      skipped: 'no documents were found',
    });
    expect(await judge('html-lang', { artifacts: [] })).toMatchObject({
      skipped: 'no HTML was found',
    });
  });

  it('repairs from what is written down, and never guesses', async () => {
    expect(await repaired('html-lang', pages('<html><p>x'))).toEqual(['<html><p>x']);
    expect(await repaired('html-lang', pages('<html><p>x'), 'fr')).toEqual([
      '<html lang="fr"><p>x',
    ]);
    expect(await repaired('html-lang', pages('<html class=a>', '<html lang="de">'))).toEqual([
      '<html lang="de" class=a>',
      '<html lang="de">',
    ]);
    const two = ['<html>', '<html lang="de">', '<html lang="fr">'];
    expect(await repaired('html-lang', pages(...two))).toEqual(two);
    const meta = '<meta http-equiv="Content-Language" content="es">';
    expect(await repaired('html-lang', pages(`<html lang="">${meta}`))).toEqual([
      `<html lang="es">${meta}`,
    ]);
    expect(await repaired('html-lang', pages('<!doctype html>\r\n<p>x'), 'en')).toEqual([
      '<!doctype html>\r\n<html lang="en">\r\n<p>x',
    ]);
  });
});

it('html-title wants a title that is not empty; one inside svg is none', async () => {
  expect((await judge('html-title', pages(whole('x')))).passed).toBe(true);
  expect(await judge('html-title', pages(whole('x', '<title> </title>')))).toMatchObject({
    passed: false,
    findings: [{ line: 5, evidence: '<title>' }],
  });
  expect((await judge('html-title', pages(whole('<svg><title>a</title></svg>', '')))).passed).toBe(
    false,
  );
});

describe('viewport', () => {
  it('wants the width of the device', async () => {
    const of = (content: string): Promise<CriterionResult> =>
      judge('viewport', pages(whole('x', `<meta name="viewport" content="${content}">`)));
    expect((await of('width=device-width, initial-scale=1')).passed).toBe(true);
    expect((await of('width=1024')).passed).toBe(false);
    expect((await of('width=device-width, user-scalable=no')).passed).toBe(true);
  });

  it('adds the element after the charset, in the style of the file', async () => {
    const tag = '<meta name="viewport" content="width=device-width, initial-scale=1">';
    const page = whole('x');
    expect(await repaired('viewport', pages(page))).toEqual([
      page.replace('<meta charset="utf-8">', `<meta charset="utf-8">\n  ${tag}`),
    ]);
    const crlf = '\uFEFF<html>\r\n<head>\r\n\t<title>T</title>\r\n</head>';
    expect(await repaired('viewport', pages(crlf))).toEqual([
      crlf.replace('<head>', `<head>\r\n\t${tag}`),
    ]);
    expect(await repaired('viewport', pages('<html><body>x'))).toEqual([`<html>${tag}<body>x`]);
  });
});

describe('names of things', () => {
  it.each([
    '<button>Save</button>',
    '<button aria-label="Save"></button>',
    '<span id="s">Save</span><button aria-labelledby="s"></button>',
    '<button title="Save"></button>',
    '<button><img src="a" alt="Save"></button>',
    '<a href="/"><svg><title>Home</title></svg></a>',
    '<a>not a link</a>',
    '<input type="hidden">',
    '<input type="submit">',
    '<input type="button" value="Go">',
    '<label for="a">Name</label><input id="a">',
    '<label>Name <input></label>',
    '<img alt="" src="a">',
    '<div hidden><button></button></div>',
    '<div style="display:none"><input></div>',
    '<button aria-hidden="true"></button>',
    '<template><input></template>',
    '<details><summary>More</summary></details>',
  ])('accepts %s', async (html) => {
    expect(await judgeNames(pages(html))).toEqual([]);
  });

  it.each([
    ['<button></button>', '<button>'],
    ['<button> <i class="x"></i></button>', '<button>'],
    ['<a href="/"></a>', '<a href="/">'],
    ['<input placeholder="Name">', '<input placeholder="Name">'],
    ['<label for="b">Name</label><input id="a">', '<input id="a">'],
    ['<label for="a"></label><input id="a">', '<input id="a">'],
    ['<label>Name <input></label><input id="x">', '<input id="x">'],
    ['<img src="a">', '<img src="a">'],
    ['<img src="a" alt=" ">', '<img src="a" alt=" ">'],
    ['<input type="image" src="a">', '<input type="image" src="a">'],
    ['<select><option>A</option></select>', '<select>'],
    ['<div role="button" tabindex="0"></div>', '<div role="button" tabindex="0">'],
    ['<button aria-labelledby="none"></button>', '<button aria-labelledby="none">'],
    ['<a href="/" aria-labelledby="x" id="x"></a>', '<a href="/" aria-labelledby="x" id="x">'],
    ['<iframe src="a"></iframe>', '<iframe src="a">'],
  ])('refuses %s', async (html, evidence) => {
    expect(await judgeNames(pages(`\n${html}`))).toMatchObject([
      { file: 'page0.html', line: 2, evidence },
    ]);
  });

  it('article, aside and abbr are no links, and each element is judged by itself [D004-28]', async () => {
    expect(
      (await judge('link-name', pages('<article><aside><abbr>x</abbr></aside></article>'))).skipped,
    ).toBe('no links were found');
    const result = await judge(
      'button-name',
      pages('<button aria-label="a" aria-pressed="true" role="button">x</button><button></button>'),
    );
    expect(result).toMatchObject({ passed: false, score: 0.5 });
  });

  it('ties a field to the free label right before it', async () => {
    expect(await repaired('field-name', pages('<label>Mail</label>\n<input id="m">'))).toEqual([
      '<label for="m">Mail</label>\n<input id="m">',
    ]);
    const named = pages('<p id="mail"><label>Mail</label><br><input name="mail">');
    expect(await repaired('field-name', named)).toEqual([
      '<p id="mail"><label for="mail-2">Mail</label><br><input id="mail-2" name="mail">',
    ]);
    for (const left of [
      '<label for="x">Mail</label><input>',
      '<label>A</label><input type="radio">',
      '<label>Mail</label><p><input></p>',
      '<input placeholder="a">',
      '<img src="a">',
    ]) {
      expect(await repaired('field-name', pages(left))).toEqual([left]);
    }
  });
});

describe('duplicate-ids', () => {
  it('names the later elements, and renames them where nothing refers to the id', async () => {
    const output = pages('<p id="a">1</p>\n<p id="a">2</p>\n<p id=a>3</p>');
    expect((await judge('duplicate-ids', output)).findings).toMatchObject([
      { line: 2 },
      { line: 3, evidence: '<p id=a>' },
    ]);
    const [html = ''] = await repaired('duplicate-ids', output);
    expect(new Set(Array.from(html.matchAll(/id="?([\w-]+)/g), (found) => found[1])).size).toBe(3);
    expect((await judge('duplicate-ids', pages(html))).passed).toBe(true);
  });

  it.each([
    '<a href="#a">x</a>',
    '<label for="a">x</label>',
    '<i aria-describedby="b a"></i>',
    '<style>#a{}</style>',
    '<script>get("a")</script>',
    '<i onclick="go(a)"></i>',
  ])('leaves an id that %s refers to', async (reference) => {
    const html = `${reference}<p id="a"></p><p id="a"></p>`;
    expect(await repaired('duplicate-ids', pages(html))).toEqual([html]);
  });

  it('leaves an id that a stylesheet or script of the output mentions', async () => {
    const html = '<p id="a"></p><p id="a"></p>';
    const style = { type: 'stylesheet', path: 'a.css', content: '#a { color: red }' };
    const output = { artifacts: [...pages(html).artifacts, style] };
    expect((await repaired('duplicate-ids', output))[0]).toBe(html);
  });
});

it('heading-order refuses a level that is left out on the way down', async () => {
  expect(
    (await judge('heading-order', pages('<h1>a</h1><h2>b</h2><h3>c</h3><h2>d</h2>'))).passed,
  ).toBe(true);
  expect((await judge('heading-order', pages('<h1>a</h1>\n<h3>b</h3>'))).findings).toMatchObject([
    { line: 2, evidence: '<h3>' },
  ]);
  expect(rule('heading-order').severity).toBe('minor');
});

describe('htmlCriteria', () => {
  it('refuses options that it does not know or that make no sense', () => {
    expect(() => htmlCriteria({ language: 'the usual' })).toThrow(/language/);
    expect(() => htmlCriteria(JSON.parse('{"lang":"en"}'))).toThrow(/no option `lang`/);
  });

  it('reads the language of the project from the context', async () => {
    const criterion = rule('html-lang');
    const result = await criterion.validate(pages('<html>'), undefined, {
      ...context,
      projectConfig: { language: 'nl' },
    });
    expect(result.findings?.[0]?.suggestedFix).toContain('lang="nl"');
  });

  it.each([
    ['deep nesting', '<div>'.repeat(100_000)],
    ['deep formatting', '<b>'.repeat(100_000)],
    ['many fields', '<input>'.repeat(50_000)],
    ['many labels', '<label for=a></label>'.repeat(50_000)],
    ['open tags', '<'.repeat(500_000)],
    ['attributes', `<a ${'b '.repeat(100_000)}>`],
    ['no content', ' '],
    ['nul', '<p>\u0000</p><input\u0000>'],
  ])('survives %s', async (_, html) => {
    for (const criterion of htmlCriteria())
      expect(await criterion.validate(pages(html), undefined, context)).toBeDefined();
  });

  it('repairs a page through a pipeline, all rules in one round', async () => {
    const produced = pages(
      '<!doctype html>\n<html>\n<head>\n  <title>T</title>\n</head>\n<label>Mail</label>\n<input name="mail">\n<p id="x"></p><p id="x"></p>\n</html>\n',
    );
    const outcome = await definePipeline({
      produce: async () => produced,
      reviewers: htmlCriteria({ language: 'en' }),
    }).run('a page');
    expect(outcome).toMatchObject({ status: 'approved' });
    expect(outcome.reviews).toHaveLength(2);
    expect(outcome.output?.artifacts[0]?.content).toContain(
      '<label for="mail">Mail</label>\n<input id="mail" name="mail">',
    );
  });

  it('counts lines by the source, also where the parser does not', async () => {
    expect((await judge('image-name', pages('&\n  <img src=x>'))).findings).toMatchObject([
      { line: 2 },
    ]);
  });

  it('does not check what it could not read, says so, and never passes it', async () => {
    expect(await judge('field-name', pages('<div>'.repeat(2000)))).toMatchObject({
      passed: false,
      skipped: expect.stringContaining('not checked: page0.html'),
    });
    expect(
      await judge('image-name', pages('<div>'.repeat(2000), '<img src=a alt=x>')),
    ).toMatchObject({ passed: false, skipped: expect.stringContaining('page0.html') });
    expect(await judge('image-name', pages('<div>'.repeat(2000), '<img src=a>'))).toMatchObject({
      passed: false,
      findings: [{ file: 'page1.html' }],
      details: expect.stringContaining('page0.html'),
    });
  });
});
