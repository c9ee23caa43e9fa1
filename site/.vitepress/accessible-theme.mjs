/** A group of the sidebar is one button that says whether it is open; the theme nests a second one in it. */
const changes = [
  [
    `role="button"
        aria-label="toggle section"
        @click="onCaretClick"
        @keydown.enter="onCaretClick"
        tabindex="0"`,
    `aria-hidden="true"
        @click="onCaretClick"`,
  ],
  [
    ':role="itemRole"',
    ':role="itemRole"\n      :aria-expanded="item.items ? !collapsed : undefined"',
  ],
];

/** Changes the sidebar of the theme where it fails axe. */
export const accessibleSidebar = {
  name: 'accessible-sidebar',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/VPSidebarItem.vue')) return undefined;
    return changes.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`VPSidebarItem.vue has no ${from}`);
      return text.replace(from, to);
    }, code);
  },
};

/** A header of a table without a text is a plain cell: it heads nothing. */
export function plainEmptyHeaders(md) {
  md.core.ruler.push('plain_empty_headers', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const [inline, close] = [tokens[index + 1], tokens[index + 2]];
      if (token.type !== 'th_open' || inline?.content !== '') continue;
      token.tag = 'td';
      close.tag = 'td';
    }
  });
}
