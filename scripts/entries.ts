/** The built entry points: the name under dist/ and the source file. */
export const libraryEntries = {
  index: 'src/index.ts',
  'criteria/html': 'src/criteria/html/index.ts',
  'criteria/css': 'src/criteria/css/index.ts',
  'criteria/plan': 'src/criteria/plan/index.ts',
  'stores/file': 'src/stores/file/index.ts',
  testing: 'src/testing/index.ts',
  vitest: 'src/testing/vitest.ts',
} as const;

export const binEntries = { bin: 'src/cli/bin.ts' } as const;
