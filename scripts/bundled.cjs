// Packages of which only a part is used: tsup puts that part into dist, so an install does not bring them.
// Their licences are written beside the built files. An advisory for one of them needs a release of ours.
const bundled = [
  '@clack/prompts',
  '@cucumber/gherkin',
  '@noble/hashes',
  'css-tree',
  'diff',
  'eventemitter3',
  'fast-string-truncated-width',
  'fast-string-width',
  'jsonc-parser',
  'jsonrepair',
  'minisearch',
  'p-limit',
  'preact',
  'std-env',
  'strip-ansi',
  'tokenx',
  'uuid',
  'yocto-queue',
];

module.exports = { bundled };
