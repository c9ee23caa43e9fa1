/** The built entry points: the name under dist/ and the source file. */
export const libraryEntries = {
  index: 'src/index.ts',
  'criteria/html': 'src/criteria/html/index.ts',
  'criteria/html-axe': 'src/criteria/html-axe/index.ts',
  'criteria/css': 'src/criteria/css/index.ts',
  'criteria/plan': 'src/criteria/plan/index.ts',
  'criteria/text': 'src/criteria/text/index.ts',
  'criteria/code': 'src/criteria/code/index.ts',
  calibration: 'src/pipelines/calibration/index.ts',
  command: 'src/reviewers/command/index.ts',
  providers: 'src/providers/index.ts',
  'providers/ai-sdk': 'src/providers/ai-sdk/index.ts',
  'providers/anthropic': 'src/providers/anthropic/index.ts',
  'providers/cli': 'src/providers/cli/index.ts',
  'providers/ollama': 'src/providers/ollama/index.ts',
  'providers/openai': 'src/providers/openai/index.ts',
  'quality-gate': 'src/pipelines/quality-gate/index.ts',
  mcp: 'src/mcp/index.ts',
  'stores/file': 'src/stores/file/index.ts',
  'stores/sqlite': 'src/stores/sqlite/index.ts',
  git: 'src/git/index.ts',
  terminal: 'src/terminal/index.ts',
  'tokens/gpt': 'src/tokens/gpt/index.ts',
  testing: 'src/testing/index.ts',
  vitest: 'src/testing/vitest.ts',
} as const;

export const binEntries = { bin: 'src/cli/bin.ts' } as const;
