import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { agentNames } from '@/hooks/agent-event.js';
import { formatOf, readEvent } from '@/hooks/read-event.js';
import { fence } from '@/model/prompt/fence.js';
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
