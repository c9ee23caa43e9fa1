// Leaves out sentences: tests may not compare the words of a message, so a changed word is no fault that they could find.
// Leaves out functions too, where only a share of them is tried.
import { createHash } from 'node:crypto';

const sentence = 'a sentence for people or models: tests compare its code, not its words';
const [from, to] = sharesOf(process.env.MUTATE_SHARE ?? '1');

/** Returns both ends of a share: `0.1` is the first tenth of the functions, `0.1-0.2` the second. */
function sharesOf(text) {
  const ends = text.split('-').map(Number);
  const [first, last] = ends.length === 1 ? [0, ...ends] : ends;
  if (ends.length > 2 || !(first >= 0 && first < last && last <= 1))
    throw new Error(`expected a share from 0 to 1, such as 0.1 or 0.1-0.2, got ${text}`);
  return [first, last];
}

/** Returns whether a text is prose: two words with a space between them. */
const isProse = (text) => /\p{L}[,.:;)']* \p{L}/u.test(text);

/** Returns whether a part of a module is in the share. Its name decides, so that each run tries the same. */
function isTried(node) {
  const declared = node.declaration ?? node;
  const name = declared.id?.name ?? declared.declarations?.[0]?.id?.name ?? String(node.start);
  const hash = createHash('sha256').update(name).digest();
  const place = hash.readUInt32BE(0) / 2 ** 32;
  return from <= place && place < to;
}

const ignorer = {
  shouldIgnore({ node, parent }) {
    if (parent?.type === 'Program')
      return isTried(node) ? undefined : 'only a share of the functions is tried';
    if (node.type === 'StringLiteral') return isProse(node.value) ? sentence : undefined;
    if (node.type !== 'TemplateLiteral') return undefined;
    // a placeholder stands for a word
    return isProse(node.quasis.map(({ value }) => value.raw).join('x')) ? sentence : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'prose', value: ignorer }];
