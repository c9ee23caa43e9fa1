import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { readTextFile } from '../../../node/files.js';
import { resolveCommit } from '../../../node/git/commit.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { CommandCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { tell } from '../../cli-kit/io.js';
import { fileSubjects, type Statement } from '../../reports/attestation/statement.js';
import {
  checkedAttestation,
  maxAttestationBytes,
  openAttestation,
} from '../../reports/attestation/verify-attestation.js';
import { reportErrors } from '../../reports/errors.js';
import type { verifyFlags } from './attest-flags.js';

export async function verifyFile(
  { io }: CommandCall,
  { file, key, commit, policy, format }: SettingsOf<typeof verifyFlags>,
): Promise<number> {
  const text = await textIn(resolve(io.cwd, file), maxAttestationBytes);
  const opened = openAttestation(text, await readKey(resolve(io.cwd, key)));
  const place = { cwd: io.cwd, timeoutMs: 60_000, signal: io.signal };
  const about =
    commit === undefined
      ? { files: await filesHere(opened.statement, io.cwd) }
      : { commit: await resolveCommit(commit, place) };
  const { statement, limits } = checkedAttestation(opened, { ...about, policy });
  const lines = [...linesOf(statement), ...limits.map((limit) => `  ${limit}`)].map(oneLine);
  return tell(io, format, { data: { statement, limits }, lines });
}

export async function readKey(path: string): Promise<string> {
  const found = await readTextFile(path, { maxBytes: 64_000 });
  if (found.kind === 'text') return found.text;
  throw new ReviewLoopError(reportErrors.key_invalid, `${path} is not a text`, { value: path });
}

async function textIn(path: string, maxBytes: number): Promise<string> {
  const found = await readTextFile(path, { maxBytes });
  if (found.kind === 'text') return found.text;
  throw new ReviewLoopError(reportErrors.attestation_invalid, `${path} is not a text`, {
    value: path,
  });
}

/** One that is missing is left out. */
async function filesHere(
  statement: Statement,
  folder: string,
): Promise<Readonly<Record<string, Buffer>>> {
  const paths = [...fileSubjects(statement).keys()];
  if (paths.length === 0)
    throw new ReviewLoopError(
      reportErrors.attestation_mismatch,
      'it names no files to compare; pass --commit',
    );
  const found = await Promise.all(
    paths.map(async (path): Promise<[string, Buffer][]> => {
      const content = await readFile(resolve(folder, path)).catch(() => undefined);
      return content === undefined ? [] : [[path, content]];
    }),
  );
  return Object.fromEntries(found.flat());
}

function linesOf({ subject, predicate }: Statement): readonly string[] {
  const { verdict, decidedBy, at, runId, policy, task, reviewers, requirements } = predicate;
  const { met, notMet, decidedByPerson, undecided, undecidedOptional } = requirements;
  const listed = [
    ['not judged', predicate.notJudged],
    ['not reviewed', predicate.notReviewed.map(({ path, reason }) => `${path} (${reason})`)],
    ['left out', predicate.waived],
    ['against it', predicate.dissent.map(({ criterion, said }) => `${criterion}: ${said}`)],
    [
      'people',
      predicate.decisions.map(({ answer, by, at: when }) => `${answer} by ${by}, ${when}`),
    ],
  ] as const;
  return [
    `VERIFIED: ${verdict} by ${decidedBy === 'person' ? 'a person' : 'reviewers'}, ${at}, run ${runId}`,
    ...subject.map(
      ({ name, digest }) =>
        `  ${name}  ${Object.entries(digest)
          .map(([kind, value]) => `${kind}:${value}`)
          .join(' ')}`,
    ),
    `  task sha256:${task.digest.sha256}, policy sha256:${policy.digest.sha256}`,
    `  reviewers: ${reviewers.length}; requirements: ${met} met, ${notMet} not met, ` +
      `${undecided + undecidedOptional} undecided, ${decidedByPerson} decided by people`,
    ...listed.flatMap(([title, texts]) =>
      texts.length === 0 ? [] : [`  ${title}: ${texts.join('; ')}`],
    ),
    'What it does not show:',
  ];
}
