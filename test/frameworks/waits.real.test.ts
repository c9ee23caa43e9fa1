import { beforeAll, expect, it } from 'vitest';
import { describeFramework } from '../support/frameworks.js';

for (const name of ['langgraph', 'langgraph-0'])
  describeFramework(name, (framework) => {
    let seen: ReadonlyMap<string, Readonly<Record<string, unknown>>>;

    beforeAll(async () => {
      const { out, err, code } = await framework.run('test/frameworks/programs/langgraph-waits.ts');
      expect(code, `${out}${err}`).toBe(0);
      const lines = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      seen = new Map(lines.map((line) => [line.name, line]));
    });

    it.each([
      ['same', 'approved', ['pays ABC', 'refunds ABC']],
      ['other process', 'approved', ['pays ABC', 'refunds ABC']],
      ['rejected', 'approved', ['pays ABC', 'refunds nothing']],
    ])('a graph that waits goes on: %s', (scene, status, ran) => {
      expect(seen.get(scene)).toMatchObject({ status, output: 'the end of ABC', ran });
    });

    it.each(['lost', 'lost, rejected', 'other version', 'truncated', 'without questions'])(
      'state that cannot be found again ends the run, and nothing runs: %s [R3-002]',
      (scene) => {
        expect(seen.get(scene)).toMatchObject({
          status: 'failed',
          error: { code: 'agent_state_lost' },
          ran: ['pays ABC'],
        });
      },
    );

    it('a graph that had ended when its process died is not run again', () => {
      expect(seen.get('ended before')).toMatchObject({
        status: 'approved',
        output: 'the end of ABC',
        ran: ['pays ABC', 'refunds nothing'],
      });
    });

    const breakpoints = ['stops before', 'stops after', 'stops unkept'];
    it.each(breakpoints)(
      'a graph that %s a node has no output, and the node is named [R3-115]',
      (scene) => {
        expect(seen.get(scene)).toMatchObject({
          status: 'failed',
          reason: expect.stringContaining('second'),
          error: { code: 'agent_incomplete' },
        });
      },
    );

    it('a graph whose last node has run has ended, whatever its breakpoints', () => {
      expect(seen.get('stops at the end')).toMatchObject({ status: 'approved', output: 'the end' });
    });

    it('what a service says about the last message counts [R3-108]', () => {
      const ends = [...seen.keys()].filter((scene) => scene.startsWith('ends '));
      const codes = ends.map((scene) => Object(seen.get(scene)?.['error']).code ?? 'whole');
      expect(codes).toEqual([
        ...Array.from({ length: 3 }, () => 'whole'),
        ...Array.from({ length: 7 }, () => 'agent_incomplete'),
      ]);
    });

    it.each(['rejects second', 'approves second'])(
      'of two answers from one checkpoint the first holds, and the second is refused: %s [R3-109]',
      (scene) => {
        expect(seen.get(scene)).toMatchObject({ code: 'request_answered', first: 'approved' });
      },
    );

    it('an answer that is given again has counted', () => {
      expect(seen.get('the same again')).toMatchObject({ out: 'approved' });
    });
  });
