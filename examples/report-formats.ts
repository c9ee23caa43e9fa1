/** One run, written for the tools that show results. */
import { definePipeline } from 'reviewloop';
import { findingsOf, gitlabReport, junitReport, runReport, sarifReport } from 'reviewloop/reports';

const pipeline = definePipeline({
  name: 'greeting',
  produce: async (task: string) => `Hello!\nTODO: ${task}`,
  criteria: {
    finished: (text) => {
      const line = text.split('\n').findIndex((one) => one.includes('TODO')) + 1;
      const finding = {
        description: 'a placeholder is left',
        file: 'output',
        line,
        evidence: 'TODO',
      };
      return { passed: line === 0, score: line === 0 ? 1 : 0, details: '', findings: [finding] };
    },
  },
  budget: { reviews: 1 },
});
const report = runReport(await pipeline.run('name the guest'), { pipeline: 'greeting' });

for (const { level, rule, place, fingerprint } of findingsOf(report))
  console.log(`${level} ${rule} ${place?.file}:${place?.region.startLine} ${fingerprint}`);
console.log(`SARIF: ${JSON.parse(sarifReport(report)).runs[0].results.length} result`);
console.log(`GitLab: ${JSON.parse(gitlabReport(report)).length} issue`);
console.log(`JUnit: ${junitReport(report).match(/<testcase /g)?.length} cases`);
