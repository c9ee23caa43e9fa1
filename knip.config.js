import { binEntries, internalEntries, libraryEntries } from './scripts/entries.mjs';

// their packages are installed outside of the project, by bench/peers/install.mjs
const peers = 'bench/peers/{ai-sdk,langgraph,mastra,openai-agents,promptfoo}/**';

/** @type {import('knip').KnipConfig} */
const config = {
  entry: [
    ...Object.values(libraryEntries),
    ...Object.values(binEntries),
    ...Object.values(internalEntries),
    'src/faces/reports/html/app/main.tsx',
    'src/faces/inbox/app/main.tsx',
    'src/faces/inbox/app/views.tsx',
    'src/faces/reports/html/app/jsx.ts',
    'test/**/*.test.ts',
    'test/{resume,system}/*-child.ts',
    'test/support/{fake-model-cli,fake-claude}.mjs',
    // a bundle of its own beside the snippets
    'test/docs/local-model.ts',
    'test/types/**/*.test-d.ts',
    'test/package/consumer/*',
    'bench/**/*.mjs',
    'examples/**/*.{ts,mjs}',
    `!${peers}`,
    // their packages are installed outside of the project, by scripts/install-frameworks.mjs
    '!examples/frameworks/**',
    'scripts/*.mjs',
    'scripts/mutation/{ignore-prose.mjs,fresh-modules.ts}',
    'vitest.mutate.config.ts',
  ],
  ignoreBinaries: ['mkfifo', 'fish', 'pg_config', 'script'],
  // loaded by a computed name
  ignoreDependencies: [
    '@electric-sql/pglite',
    // a test starts their programs
    'cspell',
    'eslint',
    // scripts/try-package.mjs installs it beside the tarball
    'webpack',
  ],
  ignoreExportsUsedInFile: { interface: true, type: true },
  project: [
    'src/**/*.{ts,tsx}',
    'test/**/*.{ts,mjs}',
    'bench/**/*.{ts,mjs}',
    'examples/**/*.{ts,mjs}',
    '!examples/frameworks/**',
    '!test/frameworks/programs/**',
    `!${peers}`,
    'scripts/**/*.{ts,mjs}',
  ],
};

export default config;
