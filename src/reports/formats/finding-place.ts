import type { Gap } from '../../core/gap.js';
import { fileOf } from '../gap-order.js';
import type { RunReport } from '../run-report.js';
import type { FormatOptions, TaskFile } from './format-options.js';
import { regionOf } from './region.js';
import type { FindingPlace } from './run-finding.js';

/** Returns a function from the gaps of a run to the places where they are shown. */
export function placesOf(
  run: RunReport,
  { versions = {}, folderOf, taskOf }: FormatOptions,
): (gap: Gap) => FindingPlace | undefined {
  const folder = folderOf?.(run) ?? '';
  const task = taskOf?.(run);
  const artifacts = versions[run.version ?? ''] ?? [];
  const texts = new Map(artifacts.map(({ path, content }) => [path, content]));
  const [first] = run.files;
  return (gap) => {
    const own = fileOf(gap);
    if (own !== '') {
      const { line = 1, endLine } = gap.location ?? {};
      const region = regionOf({ line, endLine, quote: gap.evidence }, texts.get(own));
      return { file: inRepository(folder, own), region, by: 'gap' };
    }
    const stated = task && statedIn(task, gap.affectedRequirement);
    if (stated !== undefined) return stated;
    if (first === undefined) return undefined;
    const region = regionOf({ line: 1 }, texts.get(first.path));
    return { file: inRepository(folder, first.path), region, by: 'run' };
  };
}

/** Returns the line of a task that states a requirement. */
function statedIn(
  { file, text }: TaskFile,
  requirement: string | undefined,
): FindingPlace | undefined {
  if (requirement === undefined) return undefined;
  const sought = folded(requirement);
  const index = text
    .split('\n')
    .findIndex((line) => sought !== '' && folded(line).includes(sought));
  // a requirement of several lines begins on the line whose words begin it
  const begin =
    index === -1
      ? text
          .split('\n')
          .map(folded)
          .findIndex((line) => line.length > 10 && sought.startsWith(line))
      : index;
  if (begin === -1) return undefined;
  return { file: inRepository('', file), region: regionOf({ line: begin + 1 }, text), by: 'task' };
}

function folded(text: string): string {
  return text
    .replace(/^[\s>#*+-]*(?:\d+[.)]\s+)?(?:\[[ x]\]\s+)?/i, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<![.;:!])[.;:!]+$/, '')
    .trim()
    .toLowerCase();
}

/** Returns a path below `folder` with `/`, without `.` and inner `..`. */
export function inRepository(folder: string, path: string): string {
  const isAbsolute = /^(?:[/\\]|[a-z]:[/\\])/i.test(path);
  const whole = isAbsolute ? path : `${folder}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  const joined = parts.join('/');
  return isAbsolute && whole.startsWith('/') ? `/${joined}` : joined;
}
