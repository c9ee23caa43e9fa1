// The judges of the recording. They answer from a script, after as long as a model takes.
const pace = Number(process.env.PICTURE_PACE_MS ?? 1000);

const judge = (id, seconds, { usage, gap }) => ({
  id,
  version: '1',
  tier: 'model',
  review: async (_subject, context) => {
    await new Promise((done) => setTimeout(done, seconds * pace));
    context.reportUsage(usage);
    const said = { criterion: id, explanation: '', gaps: gap === undefined ? [] : [gap] };
    return [
      gap === undefined
        ? { ...said, verdict: 'pass', score: 1 }
        : { ...said, verdict: 'fail', score: 0 },
    ];
  },
});

const promise = {
  id: 'promise',
  category: 'incorrect',
  severity: 'major',
  criterionId: 'no-promises',
  description: 'the page promises delivery within the hour',
  evidence: 'We deliver within the hour.',
  location: { file: 'site/index.html', line: 6 },
  suggestedFix: 'Say what the task says about delivery, or nothing',
  estimatedEffort: 'small',
};

export const criteria = [
  judge('tone-of-voice', 1, { usage: { totalTokens: 1830, costUsd: 0.004 } }),
  judge('no-promises', 2, { usage: { totalTokens: 2410, costUsd: 0.006 }, gap: promise }),
  judge('reads-well', 4, { usage: { totalTokens: 3120, costUsd: 0.008 } }),
];
