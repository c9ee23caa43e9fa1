import { createHash } from 'node:crypto';
import { readFences } from '@/blocks/models/prompt/fence.js';
import { type AgentOutput, limiter, type Store } from '@/index.js';
import {
  ChecklistGate,
  type ChecklistModule,
  type ChecklistStore,
  type FixGuidance,
  planCompleteness,
} from '@/products/checklist-gate/index.js';
import { checklistJudge, questionsIn } from '../support/checklist-judge.js';

/** What is planted: MUST, SHOULD, SHOULD and MAY. */
export const kinds = ['criteria', 'vague', 'placeholder', 'name'] as const;
export type Kind = (typeof kinds)[number];

/** A plan of four milestones, with one fault of each kind, planted where the seed says. */
export function plantedPlan(seed: number): AgentOutput {
  let state = seed;
  const roll = (below: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
  const milestones = [1, 2, 3, 4];
  const place = Object.fromEntries(
    kinds.map((kind) => [kind, milestones.splice(roll(milestones.length), 1)[0]]),
  );
  const parts = [1, 2, 3, 4].map((n) => {
    const has = (kind: Kind): boolean => place[kind] === n;
    const criteria = has('criteria')
      ? ''
      : `Acceptance criteria:\n- ${has('vague') ? 'works somehow' : 'all fixtures are read'}\n`;
    return `## M${n}: ${has('name') ? 'Thing' : 'Part'} ${n}\n${criteria}\nCode intent:\n- add src/part${n}.ts${has('placeholder') ? ', TBD' : ''}\n`;
  });
  return {
    artifacts: [{ type: 'document', path: 'plan.md', content: `# Plan\n\n${parts.join('\n')}` }],
  };
}

/** A fixer that mends some kinds of faults in the milestones that it is told of, and nothing else. */
function mended(work: AgentOutput, { items }: FixGuidance, mends: readonly Kind[]): AgentOutput {
  const told = new Set(items.map(({ scope }) => scope.replace('milestone:', '')));
  const parts = (work.artifacts[0]?.content ?? '').split(/^(?=## )/m).map((part) => {
    if (!told.has(/^## (M\d)/.exec(part)?.[1] ?? '')) return part;
    const repairs: Readonly<Record<Kind, (text: string) => string>> = {
      criteria: (text) =>
        text.includes('Acceptance')
          ? text
          : text.replace('\n', '\nAcceptance criteria:\n- all fixtures are read\n'),
      vague: (text) => text.replace('works somehow', 'all fixtures are read'),
      placeholder: (text) => text.replace(', TBD', ''),
      name: (text) => text.replace('Thing', 'Part'),
    };
    return mends.reduce((text, kind) => repairs[kind](text), part);
  });
  return { artifacts: [{ type: 'document', path: 'plan.md', content: parts.join('') }] };
}

const naming: ChecklistModule<AgentOutput> = {
  ...{ name: 'naming', phase: 'plan-structure', aspect: 'names', rules: [] },
  decompose: () =>
    [1, 2, 3, 4].map((n) => ({
      scope: `milestone:M${n}`,
      check: `Is milestone M${n} well named?`,
      severity: 'MAY' as const,
    })),
};

/** The gate of this scenario; `happens` is called for every call of the judge and every fix, before it is answered. */
export function planGate(
  stores: { readonly store: ChecklistStore; readonly runs: Store },
  mends: readonly Kind[],
  happens: (what: string) => Promise<void>,
): ChecklistGate {
  const judge = checklistJudge([
    {
      question: /Can another person decide/,
      found: /works somehow/,
      reason: 'nobody can tell',
      suggestedFix: 'say how',
    },
    { question: /well named/, found: /Thing/, reason: 'a thing is anything' },
  ]);
  return new ChecklistGate({
    ...{
      phase: 'plan-structure',
      ...stores,
      limiter: limiter({ concurrency: 3 }),
      decompose: [planCompleteness(), naming],
    },
    provider: {
      ...judge,
      generate: async (request) => {
        const material = request.messages
          .flatMap(({ content }) => readFences(content))
          .map(({ text }) => text);
        await happens(
          `${questionsIn(request).join()} over ${createHash('sha256').update(material.join('\n')).digest('hex').slice(0, 12)}`,
        );
        return judge.generate(request);
      },
    },
    fix: async (work, guidance, { iteration }) => {
      await happens(`fix ${iteration}`);
      return mended(work, guidance, mends);
    },
  });
}
