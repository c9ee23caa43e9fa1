import { hash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isMissing, syncFolder, writeDurably } from '../../node/durable.js';
import { systemReason } from '../../node/files.js';
import { readPlainFile } from '../../node/plain-file.js';
import { makeStoreFolder } from '../../node/store-file.js';
import type { RunPaths } from './run-paths.js';

const ReferenceSchema = z.object({
  $blob: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().min(0),
});

/** Content in a separate file that is named after its hash. */
export interface Blob {
  readonly hash: string;
  readonly bytes: Buffer;
}

/** A record with references instead of large values, and these values. */
export interface SplitRecord {
  /** The JSON text. */
  readonly record: string;
  /** Names of the members that are references. */
  readonly members: readonly string[];
  readonly blobs: readonly Blob[];
}

/** Replaces members of more than `limit` bytes by references. */
export function splitRecord(record: object, limit: number): SplitRecord {
  const whole = JSON.stringify(record);
  if (whole.length * 3 <= limit || Buffer.byteLength(whole) <= limit)
    return { record: whole, members: [], blobs: [] };
  const members: string[] = [];
  const blobs: Blob[] = [];
  const parts = Object.entries(record).flatMap(([name, value]) => {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) return [];
    const bytes = Buffer.from(text);
    if (bytes.length <= limit) return [`${JSON.stringify(name)}:${text}`];
    const blob = { hash: hash('sha256', bytes), bytes };
    members.push(name);
    blobs.push(blob);
    return [`${JSON.stringify(name)}:${JSON.stringify({ $blob: blob.hash, bytes: bytes.length })}`];
  });
  return { record: `{${parts.join(',')}}`, members, blobs };
}

/** Writes a blob durably, unless it exists. */
export async function writeBlob({ folder, blobs }: RunPaths, blob: Blob): Promise<void> {
  const path = join(blobs, blob.hash);
  if ((await sizeOf(path)) === blob.bytes.length) return;
  if ((await makeStoreFolder(folder, blobs)) !== undefined) await syncFolder(folder);
  await writeDurably(path, blob.bytes);
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The value of a reference, or why it cannot be read. */
export type ReadBlob =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'damaged'; readonly file: string; readonly why: string };

/** Reads the value of a reference, and checks its hash. */
export async function readBlob({ blobs }: RunPaths, reference: unknown): Promise<ReadBlob> {
  const { data } = ReferenceSchema.safeParse(reference);
  if (data === undefined)
    return { kind: 'damaged', file: blobs, why: 'the reference is malformed' };
  const file = join(blobs, data.$blob);
  try {
    const bytes = await readPlainFile(file);
    if (bytes.length !== data.bytes || hash('sha256', bytes) !== data.$blob)
      return { kind: 'damaged', file, why: 'its content was changed' };
    return { kind: 'value', value: JSON.parse(bytes.toString('utf8')) };
  } catch (error) {
    return { kind: 'damaged', file, why: systemReason(error) };
  }
}
