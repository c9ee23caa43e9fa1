import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { script, style, views, viewsHash } from '#inbox-shell';
import { hashText } from '@/core/hash.js';
import { inboxPage, inboxViews } from '@/faces/inbox/inbox-handler.js';
import { htmlReport } from '@/faces/reports/index.js';
import { madeReport } from '../../../support/report-runs.js';

describe('the page of the inbox', () => {
  it('has at most 43 kB, 17 kB compressed, and answers without a run being opened', async () => {
    const page = await inboxPage(new Request('http://inbox.test/')).text();
    expect(page).toContain(script);
    expect(page).toContain(style);
    expect(page.length).toBeLessThan(43_000);
    expect(gzipSync(page).length).toBeLessThan(17_000);
  });

  it('and every page of a report have the icon of the project [R3-083]', async () => {
    const svg = readFileSync('docs/pictures/favicon.svg', 'utf8').trim();
    const icon = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}">`;
    const page = await inboxPage(new Request('http://inbox.test/')).text();
    expect(page).toContain(icon);
    expect(htmlReport(madeReport())).toContain(icon);
  });

  it('loads the views of a run apart, in less than 30 kB and 11 kB compressed', () => {
    expect(views.length).toBeLessThan(30_000);
    expect(gzipSync(views).length).toBeLessThan(11_000);
  });

  it('accepts no other views than those that its policy names', async () => {
    const response = inboxViews(new Request('http://inbox.test/views.js'));
    const text = await response.text();
    const hash = Buffer.from(hashText(text), 'hex').toString('base64');
    expect(viewsHash).toBe(`sha256-${hash}`);
    expect(response.headers.get('content-security-policy')).toContain(`'${viewsHash}'`);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(() => inboxViews(new Request('http://inbox.test/views.js', { method: 'POST' }))).toThrow(
      'this address takes GET only',
    );
  });
});
