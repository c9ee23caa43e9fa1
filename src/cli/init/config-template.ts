/** The configuration that `reviewloop init` writes. */
export const configTemplate = `// Configuration of \`reviewloop review\`. Every part is optional. This file is a program: it runs
// with your permissions, so treat it like any other code.

/** @type {import('reviewloop/config').Config} */
export default {
  // The criteria: names of sets (auto, html, css, plan, text, code, ui-designer, project-manager,
  // accepted), or your own criteria. 'auto' chooses by the types of the files.
  criteria: [
    'auto',
    {
      id: 'no-placeholder',
      name: 'No placeholder text',
      description: 'Pages have real text',
      severity: 'major', // critical and major gaps block approval, minor ones do not
      category: 'quality', // missing, incorrect, incomplete or quality
      async validate(output) {
        const findings = output.artifacts.flatMap(({ path, content = '' }) =>
          content.split('\\n').flatMap((text, index) =>
            /lorem ipsum/i.test(text)
              ? [{ description: 'placeholder text', file: path, line: index + 1 }]
              : [],
          ),
        );
        const passed = findings.length === 0;
        return {
          passed,
          score: passed ? 1 : 0,
          details: \`\${findings.length} places\`,
          findings,
        };
      },
    },
  ],

  // The thresholds of approval.
  policy: { quality: 0.8, completeness: 0.9 },

  // The limits of a --fix loop.
  budget: { reviews: 3 },

  // Asks a person about what the reviewers approve: 'auto' asks nobody, 'prompt' and 'require'
  // suspend the run until \`reviewloop answer\`.
  // human: { policy: 'require' },

  // With --fix: fixes the gaps that remain after the fixes of criteria. Ask your agent here, and
  // return the whole output.
  // address: async (output, gaps, context) => improve(output, context.prompt),
};
`;
