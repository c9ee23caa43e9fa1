import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import { isMissing, writeDurably } from '../../../node/durable.js';
import { systemReason } from '../../../node/files.js';
import { readPlainFile } from '../../../node/plain-file.js';
import { checkedFolder, makeIgnoredFolder } from '../../../node/store-file.js';
import { portErrors } from '../../../ports/errors.js';
import {
  type StoredVerdict,
  StoredVerdictSchema,
  type VerdictStore,
} from '../../../ports/verdict-store.js';

/**
 * Creates a verdict cache in a directory, with one file for each verdict. Any number of processes
 * can share it. A file is written completely or not at all.
 *
 * @param directory - Created if it is missing, with a `.gitignore` that ignores everything in it.
 * @throws ReviewLoopError `invalid_options`; `get` rejects with `verdict_corrupt`,
 *   `verdict_newer`, `verdict_unavailable`; `put` rejects with `verdict_unavailable`
 * @example
 * ```ts
 * const verdicts = fileVerdicts('.reviewloop/cache/verdicts');
 * const pipeline = definePipeline({ ...options, verdicts });
 * ```
 */
export function fileVerdicts(directory: string): VerdictStore {
  const root = checkedFolder(directory);
  return {
    get: (key) => read(entryPath(root, key), key),
    put: (key, verdict) => write(root, key, verdict),
  };
}

async function read(path: string, key: string): Promise<StoredVerdict | undefined> {
  try {
    return decodeEntry(path, key, await readPlainFile(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unavailable(error, `cannot read ${path}`);
  }
}

async function write(root: string, key: string, verdict: StoredVerdict): Promise<void> {
  const path = entryPath(root, key);
  try {
    await makeIgnoredFolder(root, dirname(path));
    await writeDurably(path, encodeEntry(key, verdict));
  } catch (error) {
    throw unavailable(error, `cannot write ${path}`);
  }
}

/** Returns the error for verdicts that cannot be read or written; those of an entry stay. */
export function unavailable(error: unknown, what: string): unknown {
  if (isReviewError(error) && error.code.startsWith('verdict_')) return error;
  return new ReviewLoopError(portErrors.verdict_unavailable, `${what}: ${systemReason(error)}`, {
    cause: error,
  });
}

const HeadSchema = z.object({ v: z.literal(1), key: z.string(), sha256: z.string() });

const VersionSchema = z.object({ v: z.number().optional(), schema: z.number().optional() });

/** With two levels of 16 folders, 100,000 verdicts are 400 per folder. */
function entryPath(directory: string, key: string): string {
  const name = /^[0-9a-f]{64}$/.test(key) ? key : hash('sha256', key);
  return join(directory, name.slice(0, 1), name.slice(1, 2), `${name}.json`);
}

/** Two lines: version, key and checksum, then the verdict. */
export function encodeEntry(key: string, verdict: StoredVerdict): Buffer {
  const body = Buffer.from(`${JSON.stringify(verdict)}\n`);
  return Buffer.concat([
    Buffer.from(`${JSON.stringify({ v: 1, key, sha256: hash('sha256', body) })}\n`),
    body,
  ]);
}

export function decodeEntry(path: string, key: string, bytes: Buffer): StoredVerdict {
  const end = bytes.indexOf(10) + 1;
  const body = bytes.subarray(end);
  const head = parsed(path, bytes.subarray(0, end));
  const known = z.safeParse(HeadSchema, head).data;
  if (known === undefined) throw refused(path, head, 'its first line is not that of a verdict');
  if (hash('sha256', body) !== known.sha256)
    throw corrupt(path, 'its checksum does not match its content');
  if (known.key !== key) throw corrupt(path, 'it belongs to another key');
  const content = parsed(path, body);
  const { data, error } = z.safeParse(StoredVerdictSchema, content);
  if (data === undefined)
    throw refused(path, content, `it does not contain a verdict: ${z.prettifyError(error)}`);
  return data;
}

function parsed(path: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw corrupt(path, `it is not JSON: ${messageOf(error)}`, error);
  }
}

function refused(path: string, value: unknown, why: string): ReviewLoopError {
  const { v = 1, schema = 1 } = z.safeParse(VersionSchema, value).data ?? {};
  if (v <= 1 && schema <= 1) return corrupt(path, why);
  return new ReviewLoopError(
    portErrors.verdict_newer,
    `${path} was written by a later version (${v > 1 ? `format ${v}` : `schema ${schema}`})`,
    { value: path },
  );
}

function corrupt(path: string, why: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(portErrors.verdict_corrupt, `${path}: ${why}`, { cause, value: path });
}
