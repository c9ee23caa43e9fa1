// 20 criteria over 5 artifacts; each of two fixes touches one artifact. How many judge calls are made?
import { answer, given } from '../lib/child.mjs';
import { contender } from '../lib/library.mjs';

const { name, readAll, keepVerdicts = false } = given();
const makeLoop = await contender(name);
const artifacts = 5;
let judged = 0;

/** The first `readAll` criteria read every artifact, each of the others the one that its number gives. */
const criteria = Array.from({ length: 20 }, (_, index) => ({
  id: `criterion-${index}`,
  index,
  scope: index < readAll ? undefined : (output) => output.artifacts[index % artifacts],
}));
const indexOf = new Map(criteria.map(({ id, index }) => [id, index]));

const loop = makeLoop({
  criteria,
  concurrency: 8,
  keepVerdicts,
  produce: async () => ({
    artifacts: Array.from({ length: artifacts }, (_, index) => ({
      path: `page-${index}.html`,
      content: index < 2 ? 'flawed' : 'fine',
    })),
  }),
  judge: async (id, seen) => {
    judged += 1;
    const index = indexOf.get(id);
    const artifact = seen.artifacts?.[index % artifacts] ?? seen;
    const passed = artifact.content === 'fine';
    return { passed, score: passed ? 1 : 0.2, details: passed ? 'fine' : 'flawed' };
  },
  address: async (output) => {
    const flawed = output.artifacts.findIndex(({ content }) => content === 'flawed');
    return {
      artifacts: output.artifacts.map((artifact, index) =>
        index === flawed ? { ...artifact, content: 'fine' } : artifact,
      ),
    };
  },
});

const { approved, iterations } = await loop();
const first = judged;
const second = keepVerdicts ? await loop() : undefined;
answer({
  judged: first,
  approved,
  iterations,
  judgedAgain: judged - first,
  approvedAgain: second?.approved,
});
