import { describe, expect, it } from 'vitest';
import type { ArtifactCriterion } from '@/blocks/criteria/artifact-criterion.js';
import { codeCriteria } from '@/blocks/criteria/code/code-criteria.js';
import { cssCriteria } from '@/blocks/criteria/css/css-criteria.js';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';
import { planCriteria } from '@/blocks/criteria/plan/plan-criteria.js';
import { textCriteria } from '@/blocks/criteria/text/text-criteria.js';
import type { Finding } from '@/core/criterion.js';
import { artifactTypes } from '@/faces/cli-kit/inputs/read-inputs.js';

const sets = {
  html: htmlCriteria,
  css: cssCriteria,
  text: textCriteria,
  code: codeCriteria,
  plan: planCriteria,
} as const;

async function judged(set: keyof typeof sets, path: string, content: string) {
  const criteria: readonly ArtifactCriterion[] = sets[set]();
  const found = criteria.find(({ id }) => id === `${set}-empty-content`);
  if (found === undefined) throw new Error(set);
  const type = artifactTypes([])(path);
  const result = await found.validate({ artifacts: [{ type, path, content }] }, undefined, {
    previous: [],
  });
  return { ...result, severity: found.severity };
}

const described = ({ findings = [] }: { findings?: Finding[] | undefined }): unknown =>
  findings.map(({ description }) => description);

describe('a file without content is a critical gap of its kind [R2-002]', () => {
  it.each([
    ['html', 'index.html'],
    ['css', 'a.css'],
    ['text', 'README.md'],
    ['code', 'a.ts'],
    ['code', 'data.json'],
    ['plan', 'tasks.json'],
  ] as const)('%s: %s', async (set, path) => {
    expect(await judged(set, path, '')).toMatchObject({ passed: false, severity: 'critical' });
    expect(described(await judged(set, path, ''))).toEqual([`${path} is empty`]);
    expect(described(await judged(set, path, ' \n\t\u00a0\ufeff\r\n'))).toEqual([
      `${path} contains only white space`,
    ]);
    expect(await judged(set, path, 'x')).toMatchObject({ passed: true });
  });

  it('each file is judged by one set', async () => {
    expect(await judged('code', 'a.css', '')).toHaveProperty('skipped');
    expect(await judged('text', 'index.html', '')).toHaveProperty('skipped');
    expect(await judged('plan', 'tasks.md', '')).toHaveProperty('skipped');
  });

  it('a package marker may be empty', async () => {
    expect(await judged('code', 'pkg/__init__.py', '')).toHaveProperty('skipped');
  });
});

describe('a page that shows nothing [R2-002]', () => {
  const page = (body: string): string =>
    `<!doctype html><html lang="en"><head><title>A</title><style>.x{display:none}</style></head><body>${body}</body></html>`;

  it.each([
    ['', false],
    ['<div><p> &nbsp; </p></div>', false],
    ['<p hidden>Text</p><p class="x">Text</p><!-- Text -->', false],
    ['<input type="hidden"><script type="application/json">{}</script>', false],
    ['<p>Text</p>', true],
    ['<main><img src="a.png" alt=""></main>', true],
    ['<form><input></form>', true],
    ['<div id="root"></div><script src="app.js"></script>', true],
    ['<template><p>x</p></template>', true],
  ])('%j has content: %s', async (body, passed) => {
    const result = await judged('html', 'index.html', page(body));
    expect(result.passed).toBe(passed);
    if (!passed) expect(described(result)).toEqual(['index.html shows neither text nor elements']);
  });
});
