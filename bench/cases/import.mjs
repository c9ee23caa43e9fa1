// Cold import of the library against zod alone, which it needs anyway.
import { interleaved, runChild } from '../lib/child.mjs';
import { median } from '../lib/stats.mjs';

const contenders = ['zod', 'reviewloop'];

export async function coldImport(report) {
  const measure = (name) => runChild('import', { name });
  await interleaved(contenders, 2, measure); // fills the page cache
  const answers = await interleaved(contenders, 15, measure);
  const figures = (name) => ({
    ms: median(answers.get(name).map((one) => one.ms)),
    minMs: Math.min(...answers.get(name).map((one) => one.ms)),
    rssMB: median(answers.get(name).map((one) => one.rssMB)),
  });
  const zod = figures('zod');
  for (const name of contenders)
    report.line('import', name, { ...figures(name), ratioToZod: figures(name).ms / zod.ms });
  const ratio = figures('reviewloop').ms / zod.ms;
  report.atMost('cold import, in imports of zod', ratio, 1.3);
  report.page('Cold import, in imports of zod', [ratio]);
}
