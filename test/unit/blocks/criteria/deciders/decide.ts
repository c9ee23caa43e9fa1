import { requirementDeciders } from '@/blocks/criteria/deciders/requirement-deciders.js';
import type { Artifacts } from '@/core/artifact.js';
import type { RequirementDecision } from '@/core/criterion.js';

const deciders = requirementDeciders();

/** An output of files by their paths. */
export function filesOf(files: Readonly<Record<string, string>>): Artifacts {
  return {
    artifacts: Object.entries(files).map(([path, content]) => ({ type: 'file', path, content })),
  };
}

/** A whole page with a body and the usual head. */
export function pageWith(body: string, head = '<title>Tea</title>'): string {
  return `<!doctype html>\n<html lang="en">\n<head>${head}</head>\n<body>\n${body}\n</body>\n</html>\n`;
}

/** An output of one page. */
export function page(body: string, head?: string): Artifacts {
  return filesOf({ 'index.html': pageWith(body, head) });
}

/** What all deciders together say: a violation outweighs the others. */
export async function decide(
  requirement: string,
  output: Artifacts,
): Promise<(RequirementDecision & { readonly id: string }) | undefined> {
  let satisfied: (RequirementDecision & { readonly id: string }) | undefined;
  for (const { id, decides } of deciders) {
    const decision = await decides(requirement, output, { previous: [] });
    if (decision?.satisfied === false) return { ...decision, id };
    if (decision !== undefined) satisfied ??= { ...decision, id };
  }
  return satisfied;
}

/** `satisfied`, `violated` or `undecided`. */
export async function verdict(requirement: string, output: Artifacts): Promise<string> {
  const decision = await decide(requirement, output);
  if (decision === undefined) return 'undecided';
  return decision.satisfied ? 'satisfied' : 'violated';
}
