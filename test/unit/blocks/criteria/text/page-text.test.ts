import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageText } from '@/blocks/criteria/text/placeholders.js';

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
