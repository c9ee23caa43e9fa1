import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../core/errors.js';
import { isMissing, makeFolders, syncFolder, writeDurably } from '../../node/durable.js';
import type { RunPaths } from './run-paths.js';

const ReferenceSchema = z.object({
  $blob: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().min(0),
});

/** Content that stands in a file of its own, named by its hash. */
export interface Blob {
  readonly hash: string;
  readonly bytes: Buffer;
}

/** A record taken apart: its JSON text with references, and the contents that these refer to. */
export interface SplitRecord {
  readonly record: string;
  readonly members: readonly string[];
  readonly blobs: readonly Blob[];
}

/** Takes members of more than `limit` bytes out of a record. */
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

/** Makes a blob durable, unless it is already there. */
export async function writeBlob({ folder, blobs }: RunPaths, blob: Blob): Promise<void> {
  const path = join(blobs, blob.hash);
  if ((await sizeOf(path)) === blob.bytes.length) return;
  if ((await makeFolders(blobs)) !== undefined) await syncFolder(folder);
  await writeDurably(path, blob.bytes);
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** What a reference stands for, or why it cannot be had. */
export type ReadBlob =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'damaged'; readonly file: string; readonly why: string };

/** Reads what a reference stands for, and checks that it is what was written. */
export async function readBlob({ blobs }: RunPaths, reference: unknown): Promise<ReadBlob> {
  const { data } = ReferenceSchema.safeParse(reference);
  if (data === undefined)
    return { kind: 'damaged', file: blobs, why: 'the reference to it is none' };
  const file = join(blobs, data.$blob);
  try {
    const bytes = await readFile(file);
    if (bytes.length !== data.bytes || hash('sha256', bytes) !== data.$blob)
      return { kind: 'damaged', file, why: 'its content is not what was written' };
    return { kind: 'value', value: JSON.parse(bytes.toString('utf8')) };
  } catch (error) {
    return { kind: 'damaged', file, why: messageOf(error) };
  }
}
