import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '@/ports/audit-chain.js';
import { verifyAudit } from '@/stores/file/index.js';
import { bundled, newFolder, start } from './children.js';

const writers = 40;
const each = 3;

describe('the audit log', () => {
  it(`takes the records of ${writers} processes at once, in one unbroken chain, and of one that is killed all that it was told`, {
    timeout: 180_000,
  }, async () => {
    const program = await bundled('audit-child');
    const directory = newFolder();
    const children = Array.from({ length: writers }, (_, index) =>
      start(program, [directory, `writer-${index}`, String(each)]),
    );
    const victim = start(program, [directory, 'victim', '1000']);
    for (const child of [...children, victim]) expect(await child.line()).toBe('ready');
    for (const child of [...children, victim]) child.send('go');
    const told = JSON.parse((await victim.line()) ?? '-1') as number;
    await victim.kill();
    for (const child of children) expect(await child.exit).toMatchObject({ code: 0 });
    const lines = (await readFile(join(directory, 'audit.jsonl'), 'utf8')).trimEnd().split('\n');
    const reasons = lines.map((line) => (JSON.parse(line) as AuditRecord).reason);
    expect(await verifyAudit(directory)).toMatchObject({
      intact: true,
      torn: false,
      records: lines.length,
    });
    for (let index = 0; index < writers; index += 1) {
      expect(reasons.filter((reason) => reason?.startsWith(`writer-${index} `))).toEqual(
        Array.from({ length: each }, (_, done) => `writer-${index} ${done}`),
      );
    }
    expect(told).toBe(0);
    expect(reasons).toContain('victim 0');
    console.log(`${lines.length} records of ${writers + 1} processes, intact`);
  });
});
