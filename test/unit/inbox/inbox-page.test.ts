import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { script, style, views, viewsHash } from '#inbox-shell';
import { hashText } from '@/core/hash.js';
import { inboxPage, inboxViews } from '@/inbox/inbox-page.js';

describe('the page of the inbox', () => {
  it('has at most 40 kB, 15 kB compressed, until a run is opened', async () => {
    const page = await inboxPage(new Request('http://inbox.test/')).text();
    expect(page).toContain(script);
    expect(page).toContain(style);
    expect(page.length).toBeLessThan(40_000);
    expect(gzipSync(page).length).toBeLessThan(15_000);
  });

  it('loads the views of a run apart, in less than 60 kB and 20 kB compressed', () => {
    expect(views.length).toBeLessThan(60_000);
    expect(gzipSync(views).length).toBeLessThan(20_000);
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
