import { type Artifact, artifactsOf } from '../../../core/artifact.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { findPlan } from './read-plan.js';

/** The part of an output that a scope selects. */
export interface SelectedItems {
  readonly artifacts: readonly Artifact[];
  /** The reason if the output lacks what the scope names. */
  readonly missing?: string | undefined;
}

/**
 * Returns the part of an output that a scope selects: `*` everything, `milestone:M1` that part of
 * the plan with its files, `file:path` an artifact, `file:path:45-52` some of its lines. Any other
 * scope selects everything.
 *
 * @example
 * ```ts
 * const work = { artifacts: [{ type: 'code', path: 'a.ts', content: '1\n2\n3' }] };
 * selectItems(work, 'file:a.ts:2-3').artifacts[0]?.content; // '2\n3'
 * ```
 */
export function selectItems(output: AgentOutput, scope: string): SelectedItems {
  const [, kind, name = ''] = /^(milestone|file):(.+)$/.exec(scope) ?? [];
  if (kind === 'milestone') return milestone(output, name);
  return kind === 'file' ? file(output, name) : { artifacts: artifactsOf(output) };
}

function milestone(output: AgentOutput, id: string): SelectedItems {
  const found = findPlan(output);
  const wanted = found?.plan.milestones.find(
    (candidate) => candidate.id.toLowerCase() === id.toLowerCase(),
  );
  if (found === undefined || wanted === undefined)
    return {
      artifacts: [],
      missing: `milestone ${id} is missing${found === undefined ? ': no plan was found' : ` from ${found.path}`}`,
    };
  const { line, endLine = line } = wanted;
  const content =
    line === undefined
      ? JSON.stringify(wanted, null, 2)
      : linesOf(found.source, line, endLine ?? line);
  const files = artifactsOf(output).filter(
    ({ path }) => path !== found.path && wanted.files.includes(path),
  );
  return { artifacts: [{ type: 'plan', path: found.path, content }, ...files] };
}

function file(output: AgentOutput, name: string): SelectedItems {
  const artifacts = artifactsOf(output);
  const whole = artifacts.find(({ path }) => path === name);
  if (whole !== undefined) return { artifacts: [whole] };
  const [, path = '', from = '', to = from] = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/.exec(name) ?? [];
  const part = artifacts.find((artifact) => artifact.path === path);
  if (part?.content === undefined)
    return { artifacts: [], missing: `file ${path === '' ? name : path} is missing` };
  const content = linesOf(part.content, Number(from), Number(to));
  return content === ''
    ? { artifacts: [], missing: `${path} has no lines ${from}-${to}` }
    : { artifacts: [{ ...part, content }] };
}

function linesOf(text: string, from: number, to: number): string {
  return text
    .split('\n')
    .slice(Math.max(0, from - 1), to)
    .join('\n');
}
