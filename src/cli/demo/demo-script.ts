import type { RequirementCoverage } from '../../core/coverage.js';
import type { RequirementDecider } from '../../core/criterion.js';
import type { Gap } from '../../core/gap.js';
import type { AgentOutput } from '../../self-review/agent.js';

/** The person whose answer the demo contains. */
export const scriptedPerson = 'Ann';

/** The path of the page that the demo reviews. */
export const demoPage = 'site/index.html';

/** What the scripted producer writes for the gaps that no rule repairs. */
const edits: readonly {
  /** The criterion of the gap, or words of its requirement. */
  readonly about: RegExp;
  readonly from: string;
  readonly to: string;
}[] = [
  { about: /^button-name$/, from: '<button></button>', to: '<button>Search</button>' },
  {
    about: /three offers/,
    from: '    </ul>',
    to: '      <li><img src="lisbon.jpg" alt="Lisbon from above"><a href="/lisbon">Lisbon, four nights</a></li>\n    </ul>',
  },
];

/** Repairs gaps as a model or an agent would. */
export async function scriptedProducer(
  output: AgentOutput,
  gaps: readonly Gap[],
): Promise<AgentOutput> {
  const wanted = edits.filter(({ about }) =>
    gaps.some((gap) => about.test(gap.affectedRequirement ?? gap.criterionId ?? '')),
  );
  return {
    ...output,
    artifacts: output.artifacts.map((artifact) => ({
      ...artifact,
      content: wanted.reduce((text, { from, to }) => text.replace(from, to), contentOf(artifact)),
    })),
  };
}

/** Decides the two requirements that code can decide. */
export const demoChecks: RequirementDecider<AgentOutput> = {
  id: 'elements',
  version: '1',
  decides: (requirement, { artifacts }) => {
    const page = artifacts.map(contentOf).join('\n');
    const lines = page.split('\n');
    const found = (text: string): number => lines.findIndex((line) => line.includes(text));
    const evidence = (text: string) => ({
      evidence: [{ file: demoPage, line: found(text) + 1, quote: text, share: 1 }],
    });
    if (/search field/.test(requirement)) {
      const satisfied = found('type="search"') >= 0;
      const explanation = satisfied ? 'it has one' : 'it has none';
      return { satisfied, explanation, ...(satisfied && evidence('type="search"')) };
    }
    if (!/three offers/.test(requirement)) return undefined;
    const offers = lines.filter((line) => line.includes('<li><img ')).length;
    return {
      satisfied: offers === 3,
      explanation: `it shows ${offers}`,
      ...evidence('<ul>'),
    };
  },
};

/** Answers for the person. The person looks at a page only when nothing else is wrong with it. */
export async function scriptedAnswer(
  open: RequirementCoverage,
  { output }: { readonly output: AgentOutput },
): Promise<RequirementCoverage> {
  const isRepaired = edits.every(({ to }) =>
    output.artifacts.some((artifact) => contentOf(artifact).includes(to.trim())),
  );
  if (!isRepaired) return open;
  return {
    ...open,
    covered: true,
    state: 'covered',
    confidence: 1,
    coverageDetails: 'compared with the list of the week',
    decidedBy: 'person',
  };
}

function contentOf({ content = '' }: AgentOutput['artifacts'][number]): string {
  return content;
}
