import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from '@/faces/cli-kit/io.js';
import { folderStore } from '@/faces/cli-kit/open-store.js';
import { reviewDiff } from '@/faces/commands/reviewer-stage/review-diff.js';
import type { StageSettings } from '@/faces/commands/reviewer-stage/stage-flags.js';
import { streams } from '../../../../support/command-streams.js';
import {
  copiedRepository,
  newRepository,
  type Repository,
} from '../../../../support/git-repository.js';

/** One dimension that asks no model: work that says FIXME is poor, and work that says BREAK is not judged. */
const assess = `async (work) => {
  const text = JSON.stringify(work.changedFiles);
  if (text.includes('BREAK')) throw new Error('the judge is broken');
  const poor = text.includes('FIXME');
  return { level: poor ? 'poor' : 'good', explanation: poor ? 'something is left' : 'nothing is left', issues: poor ? [{ message: 'there is a FIXME', location: { file: 'a.js', line: 1 }, suggestion: 'remove it' }] : [] };
}`;
const off = ['intent_alignment', 'code_quality', 'completeness', 'consistency', 'safety']
  .map((id) => `${id}: false`)
  .join(', ');

/** A configuration whose one dimension is judged by code. */
export const configWith = (more = '', whole = ''): string =>
  `export default { ${whole} reviewer: { dimensions: { ${off}, done: { id: 'done', name: 'Done', shortName: 'Did', version: '1', assess: ${assess} } }, ${more} } };\n`;

/** A repository with a task, a configuration, and a file that is not committed. */
export function placeWith(code: string, config = configWith()): Repository {
  return copiedRepository(['stage', code, config], () => makePlace(code, config));
}

function makePlace(code: string, config: string): Repository {
  const made = newRepository();
  made.write('reviewloop.config.mjs', config);
  made.write('TASK.md', 'Add a file');
  made.write('kept.js', 'export const kept = 1;\n');
  made.commit('first');
  made.write('a.js', code);
  return made;
}

const storeOf = ({ cwd }: Pick<Repository, 'cwd'>): string => join(cwd, '.reviewloop');

export const settings: StageSettings = {
  ...{ diff: true, staged: false, verify: [], human: undefined, allowTruncated: [], again: false },
  ...{ plan: undefined, results: undefined, verification: undefined, session: undefined },
  ...{ paths: [], task: 'TASK.md', taskText: undefined, config: undefined, provider: undefined },
  ...{ model: undefined, baseUrl: undefined, providerEnv: [], report: [], format: 'text' },
  require: 'approved',
  ...{ quiet: true, maxFileSize: 1_000_000 },
};

/** The arguments that review a diff again. */
export function diffAgain({
  session,
  provider,
}: {
  session?: string | undefined;
  provider?: string | undefined;
}): string[] {
  return [
    '--diff',
    ...(session === undefined ? [] : ['--session', session]),
    ...(provider === undefined ? [] : ['--provider', provider]),
  ];
}

export async function reviewed(
  place: Pick<Repository, 'cwd'>,
  more: Partial<StageSettings> = {},
  io: Partial<Io> = {},
) {
  const { io: at, written } = streams(place.cwd, io);
  const store = storeOf(place);
  const call = {
    ...{ settings: { ...settings, ...more }, store: folderStore(store) },
    again: diffAgain,
  };
  const code = await reviewDiff(at, call);
  const ids = readdirSync(join(store, 'runs')).sort();
  return { code, store, id: ids.at(-1) ?? '', ...written };
}
