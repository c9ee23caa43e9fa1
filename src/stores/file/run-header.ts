import * as z from 'zod';
import { openPlainFile } from '../../node/plain-file.js';
import { decodeLine } from './journal-line.js';

const HeaderSchema = z.object({ type: z.literal('run'), pipeline: z.string(), at: z.number() });

/** The pipeline of a run, and when it began. */
export interface RunHeader extends Omit<z.infer<typeof HeaderSchema>, 'type'> {}

/** Returns the header of a journal by its first line; `undefined` if it is unreadable. */
export async function runHeader(journal: string): Promise<RunHeader | undefined> {
  const decoded = decodeLine(await firstLine(journal).catch(() => Buffer.alloc(0)));
  return decoded.kind === 'line' ? HeaderSchema.safeParse(decoded.envelope.r).data : undefined;
}

async function firstLine(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await openPlainFile(path)).createReadStream()) {
    const bytes = Buffer.from(chunk as Buffer);
    const end = bytes.indexOf(10);
    chunks.push(end === -1 ? bytes : bytes.subarray(0, end));
    if (end !== -1) break;
  }
  return Buffer.concat(chunks);
}
