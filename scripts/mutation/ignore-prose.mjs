// Leaves out sentences: tests may not compare the words of a message, so a changed word is no fault that they could find.
const sentence = 'a sentence for people or models: tests compare its code, not its words';

/** Returns whether a text is prose: two words with a space between them. */
const isProse = (text) => /\p{L}[,.:;)']* \p{L}/u.test(text);

const ignorer = {
  shouldIgnore({ node }) {
    if (node.type === 'StringLiteral') return isProse(node.value) ? sentence : undefined;
    if (node.type !== 'TemplateLiteral') return undefined;
    // a placeholder stands for a word
    return isProse(node.quasis.map(({ value }) => value.raw).join('x')) ? sentence : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'prose', value: ignorer }];
