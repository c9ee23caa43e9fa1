// Packages of which only a part is used: tsup puts that part into dist, so an install does not bring them.
// Their licences are written beside the built files. An advisory for one of them needs a release of ours.
const bundled = [
  '@clack/prompts',
  '@cucumber/gherkin',
  '@noble/hashes',
  'aria-query',
  'css-tree',
  'css-what',
  'diff',
  'jsonc-parser',
  'jsonrepair',
  'minisearch',
  'string-width',
  'strip-ansi',
  'tokenx',
];

module.exports = { bundled };
