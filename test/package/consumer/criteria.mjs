// Runs each criterion of the installed package on a work that it fails and on one that it passes. A criterion without such
// works is an error. Sets whose packages or browser are missing are named and left out.
import { readFileSync } from 'node:fs';
import { fileOf, optionsOf, samples } from './samples.mjs';

const manifest = JSON.parse(
  readFileSync(new URL(import.meta.resolve('reviewloop/package.json')), 'utf8'),
);
const left = new Set(Object.keys(samples));
const problems = [];
const skipped = [];
let judged = 0;

const isAbsent = (error) => ['peer_missing', 'browser_missing'].includes(error?.code);
const toldBy = ({ message, code }) => `${message} [${code}]`;
const outputOf = (set, given) => ({
  artifacts: Object.entries(typeof given === 'string' ? { [fileOf[set]]: given } : given).map(
    ([path, content]) => ({ type: 'document', path, content }),
  ),
});

const judge = async (set, criterion) => {
  const { id } = criterion;
  const sample = samples[id];
  left.delete(id);
  if (sample === undefined) return problems.push(`${id}: no sample in samples.mjs`);
  for (const [place, wanted] of ['fails', 'passes'].entries()) {
    const result = await criterion
      .validate(outputOf(set, sample[place]), sample[2], { previous: [] })
      .catch((error) => ({ thrown: error }));
    if (isAbsent(result.thrown)) return skipped.push(`${id}: ${toldBy(result.thrown)}`);
    judged += 1;
    const { passed, findings = [], skipped: inapplicable, undecided, details, thrown } = result;
    // small findings are told and let a work pass
    const clean = passed && findings.length === 0;
    const got = thrown ?? inapplicable ?? undecided ?? (clean ? 'passes' : 'fails');
    if (got !== wanted)
      problems.push(`${id}: should say "${wanted}", says "${got}" (${details ?? ''})`);
  }
};

let made = 0;
for (const path of Object.keys(manifest.exports).filter((name) => name.startsWith('./criteria'))) {
  const entry = await import(path.replace('.', 'reviewloop'));
  const factories = Object.entries(entry).filter(([name]) => /Criteri(?:a|on)$/.test(name));
  for (const [name, factory] of factories) {
    const set = name.replace(/Criteri(?:a|on)$/, '');
    let criteria = [];
    try {
      criteria = [await factory(optionsOf[set])].flat();
    } catch (error) {
      if (!isAbsent(error)) throw error;
      skipped.push(`${name}: ${toldBy(error)}`);
    }
    made += criteria.length;
    for (const criterion of criteria) await judge(set, criterion);
  }
  await entry.closeIdleBrowsers?.();
}
if (skipped.length === 0) for (const id of left) problems.push(`${id}: a sample of no criterion`);
if (made === 0) problems.push('the package has no criteria');
for (const reason of skipped) console.log(`skipped: ${reason}`);
console.log(`${made} criteria, ${judged} works judged`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
