import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { checkKeys, invalid } from '../../../core/options.js';
import { plural } from '../../../core/plural.js';
import { digestOfBytes } from '../../../node/files.js';
import { reportErrors } from '../errors.js';
import type { Attestation } from './attestation.js';
import { type Bundle, BundleSchema, verified } from './dsse.js';
import { fileSubjects, type Statement, StatementSchema, versionName } from './statement.js';

export const maxAttestationBytes = 16 * 2 ** 20;

/**
 * Verifies a signed attestation offline, and returns it with what it does not show. It must be about
 * a commit, files or a version that you name.
 *
 * @param text - The content of the file.
 * @throws ReviewLoopError `attestation_invalid`, `signature_invalid`, `attestation_mismatch`,
 *   `key_invalid`, `invalid_options`
 * @example
 * ```ts
 * const { statement, limits } = verifyAttestation(text, { key, version: outcome.version });
 * ```
 */
export function verifyAttestation(
  text: string,
  check: {
    /** The public key of the signer as PEM: Ed25519 or P-256. */
    readonly key: string;
    /** The commit, and its tree: another commit with the same tree has the same content. */
    readonly commit?: { readonly commit: string; readonly tree: string } | undefined;
    /** The content of every file that it must be about, by path. */
    readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
    /** The digest of the version, `outcome.version`. */
    readonly version?: string | undefined;
    /** The run. @default any */
    readonly runId?: string | undefined;
    /** The digest of the policy. @default any */
    readonly policy?: string | undefined;
  },
): Attestation & { readonly limits: readonly string[] } {
  checkKeys('verifyAttestation', check, ['key', 'commit', 'files', 'version', 'runId', 'policy']);
  return checkedAttestation(openAttestation(text, check.key), check);
}

/** Its signature was verified. */
export type OpenAttestation = Pick<Attestation, 'statement' | 'bundle'>;

/** Verifies the signature only. */
export function openAttestation(text: string, key: string): OpenAttestation {
  const bundle = bundleIn(text);
  return { bundle, statement: parsed(verified(bundle, key), StatementSchema, 'the statement') };
}

export function checkedAttestation(
  { statement, bundle }: OpenAttestation,
  check: Omit<Parameters<typeof verifyAttestation>[1], 'key'>,
): ReturnType<typeof verifyAttestation> {
  const { commit, files, version, runId, policy } = check;
  if (commit === undefined && files === undefined && version === undefined)
    throw invalid('commit', 'a commit, files or a version that it must be about', undefined);
  const { predicate, subject } = statement;
  const whole = subject.find(({ name }) => name === versionName);
  expectEqual('run', predicate.runId, runId);
  expectEqual('policy', predicate.policy.digest.sha256, policy);
  expectEqual('version', whole?.digest['sha256'], version);
  if (files !== undefined) expectFiles(fileSubjects(statement), files);
  const isSame = commit === undefined || isCommit(statement, commit);
  return { statement, bundle, limits: limitsOf(statement, isSame) };
}

function bundleIn(text: string): Bundle {
  if (typeof text !== 'string' || text.length > maxAttestationBytes)
    throw new ReviewLoopError(
      reportErrors.attestation_invalid,
      `an attestation is a text of at most ${maxAttestationBytes} bytes`,
    );
  return parsed(text, BundleSchema, 'the attestation');
}

function parsed<Value>(text: string, schema: z.ZodType<Value>, what: string): Value {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new ReviewLoopError(
      reportErrors.attestation_invalid,
      `${what} is not JSON: ${messageOf(error)}`,
      { cause: error },
    );
  }
  const found = z.safeParse(schema, given);
  if (found.success) return found.data;
  const { error } = found;
  throw new ReviewLoopError(
    reportErrors.attestation_invalid,
    isUnsigned(given)
      ? `${what} is not signed, so anybody may have written it`
      : `${what} was refused: ${z.prettifyError(error)}`,
    { cause: error },
  );
}

function isUnsigned(given: unknown): boolean {
  return typeof given === 'object' && given !== null && '_type' in given;
}

function expectEqual(what: string, found: string | undefined, wanted: string | undefined): void {
  if (wanted !== undefined && found !== wanted)
    throw mismatch(`it is about the ${what} ${found ?? 'of nothing'}, not ${wanted}`);
}

function expectFiles(
  subjects: ReadonlyMap<string, string>,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  for (const [path, content] of Object.entries(files)) {
    const digest = subjects.get(path);
    if (digest === undefined) throw mismatch(`${path} is none of its files`);
    if (digest !== digestOfBytes(typeof content === 'string' ? content : Buffer.from(content)))
      throw mismatch(`${path} differs from what was approved`);
  }
  for (const path of subjects.keys())
    if (!Object.hasOwn(files, path)) throw mismatch(`${path} is missing, which was approved`);
}

/** False for another commit with its tree. */
function isCommit(
  { subject }: Statement,
  { commit, tree }: { readonly commit: string; readonly tree: string },
): boolean {
  const named = subject.find(({ digest }) => digest['gitCommit'] !== undefined)?.digest;
  if (named === undefined)
    throw mismatch('it names no commit; it was made without one, so compare its files');
  if (named['gitCommit'] === commit) return true;
  if (named['gitTree'] === tree) return false;
  throw mismatch(`it is about the commit ${named['gitCommit']}, not ${commit}`);
}

function mismatch(what: string): ReviewLoopError {
  return new ReviewLoopError(reportErrors.attestation_mismatch, what);
}

/** What it does not show, for people. */
function limitsOf(statement: Statement, isSame: boolean): readonly string[] {
  const { acceptance, dissent, notJudged, notReviewed, waived } = statement.predicate;
  const open = [
    [notJudged, 'not judged'],
    [notReviewed, 'not reviewed'],
    [waived, 'left out on purpose'],
    [dissent, 'against it'],
  ] as const;
  const counts = open.flatMap(([{ length }, words]) => (length > 0 ? [`${length} ${words}`] : []));
  return [
    'It shows what a holder of the key said about these bytes, not that the judges were right.',
    'A key that an agent can read shows nothing.',
    ...(acceptance === undefined
      ? []
      : [
          `It was not approved: ${acceptance.by} accepted it (${acceptance.kind}): ${acceptance.reason}`,
        ]),
    ...(counts.length > 0 ? [`It says of itself: ${counts.join(', ')}.`] : []),
    ...(isSame ? [] : ['The commit is another one, with the same files, as after a squash.']),
    `It is about ${plural(fileSubjects(statement).size, 'file')}, and says nothing of others.`,
  ];
}
