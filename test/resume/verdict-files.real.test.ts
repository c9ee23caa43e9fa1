import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileVerdicts } from '@/adapters/stores/file/index.js';
import { verdictKey } from '@/ports/verdict-store.js';
import { bundled, newFolder, start } from './children.js';

const program = await bundled('verdict-child');
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.tmp') || name.endsWith('.json'),
  );

describe('verdicts in files', () => {
  it('of four processes that write the same keys and are killed, every one is whole', async () => {
    const directory = newFolder();
    const children = ['a', 'b', 'c', 'd'].map((who) => start(program, [directory, 'write', who]));
    await Promise.all(children.map((child) => child.line()));
    const store = fileVerdicts(directory);
    const whole = async (): Promise<number> => {
      let found = 0;
      for (let index = 0; index < 20; index += 1) {
        const verdict = await store.get(
          verdictKey({ reviewer: 'r', version: '1', task: 't', view: `view ${index}` }),
        );
        const [assessment] = verdict?.assessments ?? [];
        if (assessment?.verdict !== 'pass') continue;
        const [word = ''] = assessment.explanation.match(/^[abcd] \d+ /) ?? [];
        expect(assessment.explanation).toBe(word.repeat(2000));
        found += 1;
      }
      return found;
    };
    for (let times = 0; times < 5; times += 1) expect(await whole()).toBe(20);
    await Promise.all(children.map((child) => child.kill()));
    expect(await whole()).toBe(20);
  });

  it('on a disk that takes no more, a verdict is lost and not the run', async () => {
    const directory = newFolder();
    const child = start(program, [directory, 'run'], 'ulimit -f 16; trap "" XFSZ; exec "$@"');
    expect(JSON.parse((await child.line()) ?? 'null')).toEqual({
      status: 'approved',
      codes: ['verdict_unavailable'],
    });
    await child.exit;
    expect(filesIn(directory)).toEqual([]);
    const next = start(program, [directory, 'run']);
    expect(JSON.parse((await next.line()) ?? 'null')).toEqual({ status: 'approved', codes: [] });
    await next.exit;
    expect(filesIn(directory)).toHaveLength(1);
  });
});
