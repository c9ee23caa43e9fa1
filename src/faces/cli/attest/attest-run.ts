import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { auditRecords } from '../../../adapters/stores/file/verify-audit.js';
import { type Artifact, artifactsOf } from '../../../core/artifact.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { digestJson } from '../../../core/json.js';
import { isThere, readSmallFile, readTextFile, writeFileAtomic } from '../../../node/files.js';
import { type Commit, readCommit, resolveCommit } from '../../../node/git/commit.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { AuditRecord } from '../../../ports/audit-chain.js';
import type { JournalRecord } from '../../../ports/store.js';
import { CompletedWorkSchema } from '../../../products/reviewer-stage/completed-work.js';
import { cliErrors } from '../../cli-kit/errors.js';
import type { CommandCall, StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { tell } from '../../cli-kit/io.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import { runPaths } from '../../cli-kit/reports/write-reports.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { attestation } from '../../reports/attestation/attestation.js';
import { fileSubjects, type Statement } from '../../reports/attestation/statement.js';
import {
  checkedAttestation,
  maxAttestationBytes,
  openAttestation,
} from '../../reports/attestation/verify-attestation.js';
import { reportErrors } from '../../reports/errors.js';
import { jsonOfForm, type RunVersions, readVersions, runPath } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import type { attestFlags, verifyFlags } from './attest-flags.js';

const RequestSchema = z.object({
  provider: z.string().optional(),
  model: z.string().optional(),
  files: z.array(z.object({ path: z.string(), bom: z.boolean() })).default([]),
});

export async function attestRun(
  { io, store }: StoredCall,
  { id, key, commit, out }: SettingsOf<typeof attestFlags>,
): Promise<number> {
  const report = await findReviewed(store, id);
  const { runId } = report;
  const [records, versions, request, audit, paths] = await Promise.all([
    store.runs.read(runId),
    readVersions(store.files, runId),
    requestOf(store, runId),
    auditOf(store),
    runPaths(report, { files: store.files, from: io.cwd }),
  ]);
  const output = approvedOutput(report, { records: records ?? [], versions });
  const files = (value: unknown) => filesOf(value, request);
  const place = { cwd: io.cwd, timeoutMs: 60_000, signal: io.signal };
  const named = commit === undefined ? undefined : await readCommit(commit, place);
  if (named !== undefined)
    refuseOther(named, { report, files: files(output), folder: paths.folder });
  const secret = key === undefined ? undefined : await readKey(resolve(io.cwd, key));
  const { statement, bundle } = attestation({
    ...{ report, records: records ?? [], output, audit, files },
    models: modelsOf(report, request),
    ...(secret !== undefined && { key: secret }),
    ...(named && {
      commit: { repository: named.repository, commit: named.commit, tree: named.tree },
    }),
  });
  const text = `${JSON.stringify(bundle ?? statement)}\n`;
  if (out === undefined) await io.out(text);
  else await writeAttestation(resolve(io.cwd, out), text);
  return 0;
}

/** Without it, nothing is known of its models, and no file begins with a mark. */
async function requestOf({ files }: StoreHandle, runId: string) {
  const path = runPath(runId, 'request.json');
  return (await jsonOfForm(files, path, RequestSchema)) ?? { files: [] };
}

async function auditOf({ verifyAudit, auditPlace }: StoreHandle): Promise<readonly AuditRecord[]> {
  const { intact, problems, records } = await auditRecords(verifyAudit);
  if (intact) return records;
  throw new ReviewLoopError(
    reportErrors.not_attestable,
    `${auditPlace} is not intact: ${problems[0]?.what}`,
  );
}

/**
 * It is as a step of the journal recorded it, or with the files that fixers made of it. Neither
 * counts if its digest differs.
 */
function approvedOutput(
  { version }: RunReport,
  {
    records,
    versions,
  }: { readonly records: readonly JournalRecord[]; readonly versions: RunVersions },
): unknown {
  const artifacts = versions[version ?? ''] ?? [];
  for (const record of records) {
    if (record.type !== 'step' || typeof record.value !== 'object') continue;
    const own = artifactsOf(record.value).map(({ path }) => path);
    const files = artifacts.filter(({ path }) => own.includes(path));
    for (const output of [record.value, { ...record.value, artifacts: files }])
      if (digestJson(output) === version) return output;
  }
  return undefined;
}

function filesOf(output: unknown, { files }: z.infer<typeof RequestSchema>): readonly Artifact[] {
  const marked = new Set(files.flatMap(({ path, bom }) => (bom ? [path] : [])));
  const { data } = CompletedWorkSchema.safeParse(output);
  const found: readonly Artifact[] =
    data === undefined
      ? artifactsOf(output)
      : data.changedFiles.map(({ path, content }) => ({ type: 'code', path, content }));
  return found.map((file) =>
    marked.has(file.path) ? { ...file, content: `\ufeff${file.content}` } : file,
  );
}

function modelsOf(
  { judges = [] }: RunReport,
  { provider, model }: z.infer<typeof RequestSchema>,
): Readonly<Record<string, string>> {
  if (provider === undefined) return {};
  const name = model === undefined ? provider : `${provider}:${model}`;
  return Object.fromEntries(
    judges.flatMap(({ id, tier }) => (tier === undefined || tier === 'code' ? [] : [[id, name]])),
  );
}

/** It must contain no other files than those that were approved, and no further changes. */
function refuseOther(
  { commit, files, changed }: Commit,
  approved: {
    readonly report: RunReport;
    readonly files: readonly Artifact[];
    readonly folder: string;
  },
): void {
  const refused = (what: string) =>
    new ReviewLoopError(reportErrors.not_attestable, `commit ${commit.slice(0, 12)} ${what}`, {
      value: commit,
    });
  const reviewed = new Map(
    approved.files.map(({ path, content = '' }) => [
      join(approved.folder, path).replaceAll('\\', '/'),
      content,
    ]),
  );
  for (const [path, content] of reviewed) {
    const id = files.get(path);
    if (id === undefined || blobId(content, id) !== id)
      throw refused(`does not contain ${path} as it was approved`);
  }
  const others = changed.filter((path) => !reviewed.has(path));
  if (others.length > 0)
    throw refused(
      `also changes what run ${approved.report.runId} did not review: ${others.join(', ')}`,
    );
}

/** Git computes it so; in the format of `like`. */
function blobId(content: string, like: string): string {
  const bytes = Buffer.from(content);
  return createHash(like.length > 40 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

/** Replaces an earlier one, and never another file. */
async function writeAttestation(path: string, text: string): Promise<void> {
  if (await isThere(path)) {
    const earlier = await readSmallFile(path, 64 * 2 ** 20);
    if (earlier === undefined || !/in-toto|sigstore/.test(earlier.slice(0, 200)))
      throw new ReviewLoopError(
        cliErrors.already_exists,
        `${path} exists and is not an attestation; name another file`,
        { value: path },
      );
  }
  await writeFileAtomic(path, text);
}

export async function verifyFile(
  { io }: CommandCall,
  { file, key, commit, policy, format }: SettingsOf<typeof verifyFlags>,
): Promise<number> {
  const text = await textIn(
    resolve(io.cwd, file),
    maxAttestationBytes,
    reportErrors.attestation_invalid,
  );
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

async function readKey(path: string): Promise<string> {
  return textIn(path, 64_000, reportErrors.key_invalid);
}

async function textIn(
  path: string,
  maxBytes: number,
  refusal: ConstructorParameters<typeof ReviewLoopError>[0],
): Promise<string> {
  const found = await readTextFile(path, { maxBytes });
  if (found.kind === 'text') return found.text;
  throw new ReviewLoopError(refusal, `${path} is not a text`, { value: path });
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
