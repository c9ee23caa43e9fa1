import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { fence } from '@/blocks/models/prompt/fence.js';
import { agentNames } from '@/faces/hooks/agent-event.js';
import { formatOf, readEvent } from '@/faces/hooks/agent-formats.js';
import { events } from './events.js';

const facts = { cwd: '/home/user/shop' };
const kinds = ['start', 'prompt', 'stop'] as const;
const replies = [
  { kind: 'silent' },
  { kind: 'tell', message: 'NO VERDICT' },
  { kind: 'block', reason: 'fix it', message: 'look' },
  { kind: 'block', reason: '  ' },
] as const;

/** A schema of Codex, as its program contains it. */
function codexSchema(name: string) {
  const path = new URL(`./codex/${name}.schema.json`, import.meta.url);
  const schema = JSON.parse(readFileSync(path, 'utf8')) as object;
  return new Ajv({ strict: false }).compile(schema);
}

describe('the formats of agents', () => {
  it.each(agentNames)('recognises every event of %s by itself', (agent) => {
    for (const kind of kinds) {
      const read = readEvent(`\ufeff${JSON.stringify(events[agent][kind](facts))}`);
      expect(read.event).toMatchObject({ agent, kind, session: 's', folder: '/home/user/shop' });
    }
  });

  it.each(agentNames)('answers %s with one JSON object', (agent) => {
    for (const reply of replies)
      for (const kind of kinds) {
        const { stdout } = formatOf(agent).write(reply, { kind });
        expect(typeof JSON.parse(stdout)).toBe('object');
      }
  });

  it('sends and reads what the schemas of Codex accept', () => {
    const names = { start: 'session-start', prompt: 'user-prompt-submit', stop: 'stop' } as const;
    for (const kind of kinds) {
      const input = codexSchema(`${names[kind]}.command.input`);
      expect(input(events.codex[kind](facts)), JSON.stringify(input.errors)).toBe(true);
      const output = codexSchema(`${names[kind]}.command.output`);
      for (const reply of replies) {
        const answer: unknown = JSON.parse(formatOf('codex').write(reply, { kind }).stdout);
        expect(output(answer), JSON.stringify(output.errors)).toBe(true);
      }
    }
  });

  it('never blocks with a blank reason', () => {
    for (const agent of agentNames)
      expect(formatOf(agent).write({ kind: 'block', reason: ' \n' }, { kind: 'stop' }).stdout).toBe(
        '{}\n',
      );
  });

  it('hands Codex a reason that its XML leaves as it is [R3-022]', () => {
    const text = 'Add <label for="a"> & close </p>, <br/> <!-- x --> if 1 < 2 > 0\n<<<END n>>>';
    const reason = fence('findings', text, 'a-nonce-of-sixteen-and-more');
    const { stdout } = formatOf('codex').write({ kind: 'block', reason }, { kind: 'stop' });
    const said = String((JSON.parse(stdout) as { reason: unknown }).reason);
    expect(said).not.toMatch(/[<>&]/);
    expect(said).toMatch(/^--- UNTRUSTED a-nonce-of-sixteen-and-more findings ---\n/);
    expect(said).toMatch(/\n--- END a-nonce-of-sixteen-and-more ---$/);
    expect(said).toContain('Add `label for="a"` ＆ close `/p`, `br`');
    expect(formatOf('gemini').write({ kind: 'block', reason }, { kind: 'stop' }).stdout).toContain(
      '<<<UNTRUSTED',
    );
  });

  it('keeps a task of Claude Code open with the only code that does, judged by its description', () => {
    const { event, format } = readEvent(
      JSON.stringify({
        ...{ session_id: 's', cwd: '/a', hook_event_name: 'TaskCompleted', prompt_id: 'p' },
        ...{ task_id: '1', task_subject: 'Menu', task_description: 'List five breads.' },
      }),
    );
    expect(event).toMatchObject({
      kind: 'stop',
      turn: undefined,
      task: 'Menu\n\nList five breads.',
    });
    const about = { kind: 'stop', name: 'TaskCompleted' } as const;
    expect(format.write({ kind: 'block', reason: 'no' }, about)).toEqual({
      ...{ stdout: '{}\n', stderr: 'no\n', exitCode: 2 },
    });
    expect(format.write({ kind: 'silent' }, about)).toEqual({ stdout: '{}\n', stderr: '' });
  });

  it('tells Claude Code what an approved version leaves open without an error', () => {
    const reply = { kind: 'tell', message: 'approved', advice: '2 minor gaps left' } as const;
    const { stdout } = formatOf('claude-code').write(reply, { kind: 'stop', name: 'Stop' });
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: 'approved',
      hookSpecificOutput: { hookEventName: 'Stop', additionalContext: '2 minor gaps left' },
    });
    for (const agent of agentNames.filter((one) => one !== 'claude-code'))
      expect(formatOf(agent).write(reply, { kind: 'stop', name: 'Stop' }).stdout).not.toContain(
        'minor',
      );
  });

  const published = [
    [
      'copilot',
      { sessionId: 's', timestamp: 1, cwd: '/a', transcriptPath: '/t', stopReason: 'end_turn' },
    ],
    ['copilot', { session_id: 's', cwd: '/a', hook_event_name: 'Stop', stop_reason: 'end_turn' }],
    ['vs-code', { sessionId: 's', timestamp: '2026-01-01', cwd: '/a', hookEventName: 'Stop' }],
    ['claude-code', { session_id: 's', cwd: '/a', hook_event_name: 'Stop', prompt_id: 'p' }],
  ] as const;
  it.each(published)('tells that %s sent an event of a file that several read', (agent, given) => {
    expect(readEvent(JSON.stringify(given)).event).toMatchObject({ agent, kind: 'stop' });
    expect(readEvent(JSON.stringify(given), 'claude-code').event?.agent).toBe(agent);
  });

  it('follows the event where Cursor starts a hook of Claude Code', () => {
    const text = JSON.stringify(events.cursor.stop(facts));
    expect(readEvent(text, 'claude-code').format.name).toBe('cursor');
  });

  it.each([
    ['', 'empty'],
    ['{', 'not JSON'],
    ['[1]', 'not a JSON object'],
    ['{}', 'no known agent'],
    ['{"hook_event_name":"Stop"}', 'session_id, cwd, hook_event_name'],
  ])('says why %j is not an event', (text, why) => {
    const read = readEvent(text);
    expect(read.event).toBeUndefined();
    expect('why' in read ? read.why : '').toContain(why);
  });
});
