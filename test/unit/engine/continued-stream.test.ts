import { describe, expect, it } from 'vitest';
import {
  criterion,
  definePipeline,
  type Outcome,
  type RunEvent,
  type RunStream,
} from '../../../src/index.js';

function waiting() {
  return definePipeline<string, string>({
    produce: async () => 'tea',
    criteria: { long: (text) => text.length > 2 },
    human: { policy: 'require' },
  });
}

type Suspended = Extract<Outcome<string>, { status: 'suspended' }>;

async function asked(pipeline: ReturnType<typeof waiting>): Promise<Suspended> {
  const outcome = await pipeline.run('task', { runId: 'r' });
  if (outcome.status !== 'suspended') throw new Error(outcome.reason);
  return outcome;
}

async function eventsOf(stream: RunStream<string>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const approve = { kind: 'approve', by: 'Ann' } as const;

describe('the stream of a continued run', () => {
  it('gives the events after an answer, and marks what is replayed', async () => {
    const pipeline = waiting();
    const { requests } = await asked(pipeline);
    const heard: string[] = [];
    const stream = pipeline.streamAnswer(requests[0], approve, {
      on: { 'run-end': ({ status }) => heard.push(status) },
    });
    const events = await eventsOf(stream);
    expect(events.at(0)).toMatchObject({ type: 'run-start', replayed: true });
    expect(events.filter(({ replayed }) => replayed !== true).map(({ type }) => type)).toEqual([
      'run-end',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'approved' });
    expect(await stream.outcome).toMatchObject({ status: 'approved', output: 'tea' });
    expect(heard).toEqual(['approved']);
  });

  it('rejects an answer that does not count, and the question stays open', async () => {
    const pipeline = waiting();
    const { requests } = await asked(pipeline);
    const stale = { ...requests[0], digest: '0'.repeat(64) };
    const stream = pipeline.streamAnswer(stale, approve);
    await expect(eventsOf(stream)).rejects.toMatchObject({ code: 'request_stale' });
    await expect(stream.outcome).rejects.toMatchObject({ code: 'request_stale' });
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('suspended');
  });

  it('that is left early is cancelled, and its answer stays recorded', async () => {
    const pipeline = waiting();
    const { requests } = await asked(pipeline);
    const stream = pipeline.streamAnswer(requests[0], approve);
    for await (const _ of stream) break;
    expect((await stream.outcome).status).toBe('cancelled');
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('approved');
  });

  it('gives the events after decisions', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'tea',
      reviewers: [
        criterion<string>(
          'tone',
          () => ({ passed: false, score: 0, details: '', undecided: 'needs eyes' }),
          { version: '1', description: 'Is the tone right?' },
        ),
      ],
    });
    const ended = await pipeline.run('task', { runId: 'r' });
    const version = { runId: 'r', digest: ended.version ?? '' };
    const stream = pipeline.streamDecide(version, { by: 'Ada', decisions: { tone: 'yes' } });
    const events = await eventsOf(stream);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'approved' });
    expect((await stream.outcome).approved).toBe(true);
  });
});
