import { describe, expect, it } from 'vitest';
import type { KnownFiles } from '@/blocks/criteria/files/known-files.js';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';
import { context, judgedBy } from '../support.js';

function known(...paths: string[]): KnownFiles {
  return { has: (path) => paths.includes(path), state: () => paths.join() };
}

function judge(
  body: string,
  { files, others = [] }: { readonly files?: KnownFiles; readonly others?: readonly string[] } = {},
) {
  const artifacts = others.map((path) => ({ type: 'asset', path }));
  const page = { type: 'mockup', path: 'site/a.html', content: `<!doctype html>${body}` };
  const output = { artifacts: [page, ...artifacts] };
  return judgedBy(htmlCriteria({ files }), 'resources-exist', [output]);
}

async function missingIn(...given: Parameters<typeof judge>): Promise<string[]> {
  const { findings = [] } = await judge(...given);
  return findings.map(({ description }) => description);
}

/** One reference of each kind, to a file of this name. */
const kinds: Readonly<Record<string, (file: string) => string>> = {
  img: (file) => `<img src="${file}" alt="">`,
  srcset: (file) => `<img srcset="there.x 1x, ${file} 2x" alt="">`,
  'srcset without space': (file) => `<img srcset="there.x 1x,${file} 640w" alt="">`,
  picture: (file) => `<picture><source srcset="${file}"><img src="there.x" alt=""></picture>`,
  video: (file) => `<video src="${file}"></video>`,
  poster: (file) => `<video poster="${file}"></video>`,
  audio: (file) => `<audio src="${file}"></audio>`,
  source: (file) => `<audio><source src="${file}"></audio>`,
  track: (file) => `<video><track src="${file}"></video>`,
  script: (file) => `<script src="${file}"></script>`,
  stylesheet: (file) => `<link rel="stylesheet" href="${file}">`,
  icon: (file) => `<link rel="shortcut icon" href="${file}">`,
  manifest: (file) => `<link rel="manifest" href="${file}">`,
  iframe: (file) => `<iframe src="${file}"></iframe>`,
  object: (file) => `<object data="${file}"></object>`,
  embed: (file) => `<embed src="${file}">`,
  'image button': (file) => `<input type="image" src="${file}" alt="">`,
  'image of a drawing': (file) => `<svg><image href="${file}"/></svg>`,
  'old image of a drawing': (file) => `<svg><image xlink:href="${file}"/></svg>`,
  'style attribute': (file) => `<p style="background: url('${file}')">x</p>`,
  'style element': (file) => `<style>p { background: url(${file}) }</style>`,
  import: (file) => `<style>@import "${file}";</style>`,
};

describe('the files of pages', () => {
  it.each(Object.entries(kinds))('a missing file is found: %s [R2-095]', async (_kind, page) => {
    const files = known('site/there.x');
    expect(await missingIn(page('b%20c.x?v=1#d'), { files })).toEqual([
      expect.stringMatching(/^the [\w ]+ site\/b c\.x is missing$/),
    ]);
    expect(await missingIn(page('there.x'), { files })).toEqual([]);
  });

  it('without knowledge of the folder, a file is missing beside others of its kind', async () => {
    const page = '<img src="b.png" alt="">';
    expect(await missingIn(page, { others: ['site/c.png'] })).toEqual([
      'the image site/b.png is missing',
    ]);
    expect(await missingIn(page, { others: ['site/b.png'] })).toEqual([]);
    for (const others of [[], ['c.png'], ['site/c.jpg'], ['site/more/c.png']])
      expect(await judge(page, { others })).toMatchObject({
        skipped: expect.stringContaining('b.png was not given'),
      });
  });

  it('leaves to the links of texts what these judge', async () => {
    expect(await judge('<script src="b.js"></script>', { others: ['site/c.js'] })).toMatchObject({
      skipped: expect.stringContaining('b.js is judged by text-links'),
    });
  });

  it('does not judge other sites, data, templates, other roots and a changed base', async () => {
    const files = known();
    for (const address of [
      'https://a.org/b.png',
      '//a.org/b.png',
      'data:image/png,x',
      '#a',
      '{{ a }}',
      '%PUBLIC_URL%/a.png',
    ])
      expect(await judge(`<img src="${address}" alt="">`, { files })).toMatchObject({
        skipped: 'no local files were found',
      });
    for (const page of [
      '<img src="/b.png" alt="">',
      '<img src="../../b.png" alt="">',
      '<base href="other/"><img src="b.png" alt="">',
    ])
      expect(await judge(page, { files })).toMatchObject({
        skipped: expect.stringContaining('was not given'),
      });
  });

  it('does not judge a fragment, whose addresses belong to another page', async () => {
    const criterion = htmlCriteria({ files: known() }).find(({ id }) => id === 'resources-exist');
    const content = '<li><img src="b.png" alt=""></li>';
    const output = { artifacts: [{ type: 'mockup', path: 'a.html', content }] };
    expect(await criterion?.validate(output, undefined, context)).toMatchObject({
      skipped: expect.stringContaining('was not given'),
    });
  });

  it('finds a path from the root in the folders above the page', async () => {
    const page = '<img src="/img/b.png" alt="">';
    expect(await judge(page, { files: known('site/img/b.png') })).toMatchObject({ passed: true });
    expect(await judge(page, { files: known('img/b.png') })).toMatchObject({ passed: true });
  });

  it('a verdict is reused only while the folder stays the same', () => {
    const of = (files?: KnownFiles): unknown => {
      const criterion = htmlCriteria({ files }).find(({ id }) => id === 'resources-exist');
      return [criterion?.version, criterion?.scope?.({ task: '', output: { artifacts: [] } })];
    };
    expect(of(known('a'))).not.toEqual(of(known('b')));
    expect(of()).not.toEqual(of(known()));
  });

  it('refuses files that cannot be asked', () => {
    expect(() => htmlCriteria({ files: { has: true } as never })).toThrow('files');
  });
});
