import { hash } from 'node:crypto';
import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import { jsonIn } from '../../core/json-or-text.js';
import { storeErrors } from '../errors.js';

const path = z.string().refine(isInside, { message: 'a path that leaves the folder' });
const mode = z.number().int().min(0).max(0o7777);

/** A file, folder or link in a stored tree, without modification times. */
export const TreeEntrySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    path,
    kind: z.literal('file'),
    mode,
    size: z.number().int().min(0),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.strictObject({ path, kind: z.literal('folder'), mode }),
  z.strictObject({ path, kind: z.literal('link'), target: z.string().min(1) }),
]);
/** A file, folder or link in a stored tree. */
export type TreeEntry = z.infer<typeof TreeEntrySchema>;
export type FileEntry = Extract<TreeEntry, { kind: 'file' }>;

const TreeSchema = z.strictObject({ version: z.literal(1), entries: z.array(TreeEntrySchema) });

/** Returns the text of a tree and its digest, which is the hash of that text. */
export function encodeTree(entries: readonly TreeEntry[]): {
  readonly text: string;
  readonly digest: string;
} {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const text = `{"version":1,"entries":[\n${sorted.map((entry) => JSON.stringify(entry)).join(',\n')}\n]}\n`;
  return { text, digest: hash('sha256', text) };
}

/**
 * Returns the entries of a tree, folders before their content.
 *
 * @throws ReviewLoopError `workspace_damaged`
 */
export function decodeTree(text: string, digest: string): readonly TreeEntry[] {
  const wrong = (why: string): ReviewLoopError =>
    new ReviewLoopError(storeErrors.workspace_damaged, `the list of state ${digest} ${why}`, {
      value: digest,
    });
  if (hash('sha256', text) !== digest) throw wrong('was changed');
  const parsed = TreeSchema.safeParse(jsonIn(text));
  if (!parsed.success) throw wrong(`is not valid: ${z.prettifyError(parsed.error)}`);
  const folders = new Set(['']);
  const seen = new Set<string>();
  for (const entry of parsed.data.entries) {
    if (seen.has(entry.path) || !folders.has(parentOf(entry.path)))
      throw wrong(`contains ${JSON.stringify(entry.path)} twice, or without its folder`);
    seen.add(entry.path);
    if (entry.kind === 'folder') folders.add(entry.path);
  }
  return parsed.data.entries;
}

/** Returns the path of the parent folder; empty at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function isInside(path: string): boolean {
  return path
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
}
