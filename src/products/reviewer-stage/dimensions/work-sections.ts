import type { PromptSection } from '../../../blocks/models/prompt/sections.js';
import type { TokenCounter } from '../../../ports/token-counter.js';
import type { ChangedFile, CompletedWork } from '../completed-work.js';

export function historySections({
  plan,
  executionResults,
  verificationResults,
  changedFiles,
  acceptanceCriteria = [],
}: CompletedWork): PromptSection[] {
  const steps =
    typeof plan === 'string'
      ? plan
      : plan?.map((step, index) => `${index + 1}. ${step}`).join('\n');
  return [
    {
      label: 'acceptance criteria',
      text: acceptanceCriteria.map((criterion) => `- ${criterion}`).join('\n'),
    },
    { label: 'plan', text: steps ?? '' },
    {
      label: 'execution results',
      text: executionResults
        .map(
          ({ step, status, output }) =>
            `- ${step}: ${status}${output === undefined ? '' : `\n${output}`}`,
        )
        .join('\n'),
    },
    {
      label: 'verification results',
      text: verificationResults
        .map(
          ({ name, passed, details }) =>
            `- ${name}: ${passed ? 'passed' : 'FAILED'}${details === undefined ? '' : `\n${details}`}`,
        )
        .join('\n'),
    },
    { label: 'changed files', text: changedFiles.map(changeLine).join('\n') },
  ].filter(({ text }) => text.trim() !== '');
}

export function changeSections({ changedFiles }: CompletedWork): PromptSection[] {
  return changedFiles.flatMap(({ path, content, diff }) => [
    ...(content === undefined ? [] : [{ label: `artifact ${path}`, text: content }]),
    ...(diff === undefined ? [] : [{ label: `diff ${path}`, text: diff }]),
  ]);
}

export function sampleSections({ samples = [] }: CompletedWork): PromptSection[] {
  return samples.map(({ path, content }) => ({
    label: `sample ${path} (not changed, for comparison)`,
    text: content,
  }));
}

export function allowedSections({ changedFiles }: CompletedWork): PromptSection[] {
  const lines = changedFiles.flatMap(({ path, allowedSecrets = [] }) =>
    allowedSecrets.map(({ line, reason }) => `- ${path}:${line}: ${reason}`),
  );
  return lines.length === 0
    ? []
    : [{ label: 'lines that look like secrets and are allowed', text: lines.join('\n') }];
}

const omissions = {
  binary: 'binary, not shown',
  submodule: 'another repository, not shown',
  content: 'only the diff is shown',
  cut: 'shown in part',
  too_large: 'too large, not shown',
  unmerged: 'in conflict, not shown',
} as const;

function changeLine({ status, path, oldPath, added, removed, omitted }: ChangedFile): string {
  const lines =
    added === undefined && removed === undefined ? '' : ` (+${added ?? 0} -${removed ?? 0})`;
  return `- ${status}: ${oldPath === undefined ? path : `${oldPath} -> ${path}`}${lines}${omitted === undefined ? '' : ` [${omissions[omitted]}]`}`;
}

export interface PackOptions {
  readonly shared: readonly PromptSection[];
  readonly maxTokens: number;
  readonly tokens: TokenCounter;
}

/** A section that is too large gets its own prompt. */
export async function packSections(
  sections: readonly PromptSection[],
  { shared, maxTokens, tokens }: PackOptions,
): Promise<PromptSection[][]> {
  const count = async (given: readonly PromptSection[]): Promise<number> =>
    (await Promise.all(given.map(({ text }) => tokens.count(text)))).reduce(
      (sum, next) => sum + next,
      0,
    );
  const room = maxTokens - (await count(shared));
  const parts: { readonly sections: PromptSection[]; tokens: number }[] = [];
  for (const section of sections) {
    const size = await count([section]);
    const last = parts.at(-1);
    if (last !== undefined && last.tokens + size <= room) {
      last.sections.push(section);
      last.tokens += size;
    } else parts.push({ sections: [section], tokens: size });
  }
  return parts.length === 0 ? [[...shared]] : parts.map((part) => [...shared, ...part.sections]);
}
