import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { script, style } from '#inbox-shell';

it('the program of the page has at most 60 kB with its style, 20 kB compressed without', () => {
  expect(script.length + style.length).toBeLessThan(60_000);
  expect(gzipSync(script).length).toBeLessThan(20_000);
});
