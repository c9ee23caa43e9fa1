// The points at which the simulation is held against what is published, before anything is compared.
import { flags } from './judge.mjs';
import { regimes } from './regimes.mjs';
import { draft, faults, fixed, itemsOf, read } from './world.mjs';

const flagOf = (text, family, call) =>
  flags(text, { seed: 4, family, regime: regimes.mid, sameSession: false, call });

/** Items of which half are wrong, as benchmarks of judges have them. */
const balanced = (count) =>
  Array.from(
    { length: count },
    (_, index) =>
      `Item m1 is ${index % 2 === 0 ? 'right' : 'wrong'}, of make b${index}, revision 0.`,
  );
const shareWhere = (list, test) => list.filter(test).length / list.length;

function kappa(first, second) {
  const observed = shareWhere(first, (value, index) => value === second[index]);
  const [p, q] = [shareWhere(first, Boolean), shareWhere(second, Boolean)];
  const chance = p * q + (1 - p) * (1 - q);
  return (observed - chance) / (1 - chance);
}

/** One-shot, agreement, flips and independent votes, as shares. */
export function calibrationPoints(count = 8000) {
  const texts = balanced(count);
  const families = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const verdicts = families.map((family) => texts.map((text) => flagOf(text, family, 0)));
  const again = texts.map((text) => flagOf(text, 'a', 1));
  const wrong = texts.map((text) => !read(text).ok);
  const errors = verdicts.map((list) => list.map((flag, index) => flag !== wrong[index]));
  const pairs = families.flatMap((_, first) =>
    families.slice(first + 1).map((__, offset) => [first, first + 1 + offset]),
  );
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const dependence = mean(pairs.map(([a, b]) => kappa(errors[a], errors[b])));
  return {
    oneShot: shareWhere(
      Array.from({ length: count }, (_, task) => task),
      (task) => faults(draft({ seed: 4, task })) === 0,
    ),
    agreement: mean(
      pairs.map(([a, b]) => shareWhere(verdicts[a], (flag, index) => flag === verdicts[b][index])),
    ),
    kappa: mean(pairs.map(([a, b]) => kappa(verdicts[a], verdicts[b]))),
    flips: shareWhere(again, (flag, index) => flag !== verdicts[0][index]),
    votes: families.length / (1 + (families.length - 1) * dependence),
  };
}

/** How many are clean after four rounds of a reviewer that is always right, through a real pipeline. */
export async function oracle(lib, runs) {
  let clean = 0;
  for (let task = 0; task < runs; task += 1) {
    let attempt = 0;
    const pipeline = lib.definePipeline({
      produce: async () => draft({ seed: 4, task }),
      address: async (output, gaps) =>
        fixed(output, new Set(gaps.map(({ criterionId }) => criterionId)), {
          regime: regimes.mid,
          seed: 4,
          attempt: ++attempt,
        }),
      reviewers: itemsOf().map(({ id, severity }) =>
        lib.criterion(id, (text) => read(text).ok || 'it is wrong', {
          severity,
          scope: (output) => output[id],
        }),
      ),
      policy: lib.thresholds({ quality: 0 }),
      budget: { reviews: 5 },
    });
    const { output } = await pipeline.run(task);
    clean += Number(faults(output) === 0);
  }
  return clean / runs;
}
