/**
 * The entry points of the package: the subpath and its source file. This is the one list. tsup, typedoc, knip and the
 * tests read it; `npm run entries` writes it into package.json and tsconfig.json.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const libraryEntries = {
  index: 'src/index.ts',
  schemas: 'src/schemas.ts',
  errors: 'src/errors.ts',
  'self-review': 'src/products/self-review/index.ts',
  'checklist-gate': 'src/products/checklist-gate/index.ts',
  'quality-gate': 'src/products/quality-gate/index.ts',
  'reviewer-stage': 'src/products/reviewer-stage/index.ts',
  'task-review': 'src/products/task-review/index.ts',
  calibration: 'src/products/calibration/index.ts',
  requirements: 'src/blocks/requirements/index.ts',
  reviewers: 'src/blocks/reviewers/index.ts',
  ports: 'src/ports/index.ts',
  models: 'src/blocks/models/index.ts',
  reports: 'src/faces/reports/index.ts',
  inbox: 'src/faces/inbox/index.ts',
  config: 'src/faces/config/index.ts',
  node: 'src/node.ts',
  criteria: 'src/blocks/criteria/index.ts',
  'criteria/page': 'src/blocks/criteria/page/index.ts',
  providers: 'src/adapters/providers/index.ts',
  'providers/anthropic': 'src/adapters/providers/anthropic/index.ts',
  'providers/ollama': 'src/adapters/providers/ollama/index.ts',
  'providers/openai': 'src/adapters/providers/openai/index.ts',
  'stores/file': 'src/adapters/stores/file/index.ts',
  'stores/sqlite': 'src/adapters/stores/sqlite/index.ts',
  'stores/postgres': 'src/adapters/stores/postgres/index.ts',
  'ai-sdk': 'src/adapters/frameworks/ai-sdk/index.ts',
  mastra: 'src/adapters/frameworks/mastra/index.ts',
  langgraph: 'src/adapters/frameworks/langgraph/index.ts',
  'openai-agents': 'src/adapters/frameworks/openai-agents/index.ts',
  otel: 'src/adapters/otel/index.ts',
  engines: 'src/adapters/engines/index.ts',
  testing: 'src/testing/index.ts',
  vitest: 'src/testing/vitest.ts',
};

/**
 * Entry points that may change in any version, see docs/stability.md. All others are stable.
 *
 * @type {readonly string[]}
 */
export const experimentalEntries = ['criteria/page', 'engines', 'openai-agents'];

/** Subpaths that later parts of the package take; nobody else may use the names. */
export const reservedEntries = [];

/** The command line program, which nobody imports. */
export const binEntries = { bin: 'src/faces/cli/bin.ts' };

/** Modules that `imports` of package.json name: the portable hash is only for platforms without one of their own. */
export const internalEntries = {
  'portable-hash': 'src/core/portable-hash.ts',
  'no-portable-hash': 'src/core/no-portable-hash.ts',
};

/** What package.json says under `imports`. */
export const packageImports = {
  '#hash': { node: './dist/no-portable-hash.js', default: './dist/portable-hash.js' },
};

/** The subpath of an entry, as a user imports it: `.` or `./criteria/html`. */
export const subpathOf = (/** @type {string} */ entry) => (entry === 'index' ? '.' : `./${entry}`);

/** What package.json says under `exports`. */
export const packageExports = {
  ...Object.fromEntries(
    Object.keys(libraryEntries).map((entry) => [
      subpathOf(entry),
      { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
    ]),
  ),
  './package.json': './package.json',
};

/** What tsconfig.json says under `paths`. */
export const sourcePaths = {
  '#hash': ['./src/core/portable-hash.ts'],
  '#report-shell': ['./src/faces/reports/html/report-shell.d.ts'],
  '#inbox-shell': ['./src/faces/inbox/inbox-shell.d.ts'],
  // tests name a source by its place below src, so that a moved test changes nothing
  '@/*': ['./src/*'],
  ...Object.fromEntries(
    Object.entries(libraryEntries).map(([entry, source]) => [
      entry === 'index' ? 'reviewloop' : `reviewloop/${entry}`,
      [`./${source}`],
    ]),
  ),
};
