import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateServer } from '@/faces/mcp/gate-server.js';
import type { ClientAnswer, PeopleOptions } from '@/faces/mcp/people-tools.js';
import { QualityGate } from '@/products/quality-gate/quality-gate.js';
import { gateFolder } from '../../../support/gate-folder.js';
import { madeReport } from '../../../support/report-runs.js';

type Reply = { action: 'accept' | 'decline'; content?: Record<string, string> };
type Modes = { form?: Record<string, never>; url?: Record<string, never> };

/** A server that shows one run, and a client that asks the person as it can. */
async function asking(
  given: Partial<PeopleOptions> & { readonly modes?: Modes; readonly reply?: Reply },
) {
  const { modes, reply = { action: 'accept' }, ...more } = given;
  const answers: ClientAnswer[] = [];
  const people: PeopleOptions = {
    report: async () => madeReport(),
    answer: async (answer) => void answers.push(answer),
    ...more,
  };
  const folder = gateFolder({});
  const { make, close } = await gateServer({
    gate: new QualityGate({ root: folder }),
    folder,
    people,
  });
  onTestFinished(close);
  const capabilities = modes === undefined ? {} : { elicitation: modes };
  const client = new Client({ name: 'desk', version: '1.0.0' }, { capabilities });
  const asked: unknown[] = [];
  if (modes !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params);
      return reply;
    });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([make().connect(far as never), client.connect(near)]);
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content as { readonly text: string }[])[0]?.text ?? '';
  };
  return { client, call, asked, answers };
}

describe('the tools with which a client asks a person', () => {
  const inbox = 'http://127.0.0.1:7070';
  const form = { mode: 'form' };
  const page = { mode: 'url', url: inbox };

  it.each([
    ['forms only', { modes: {} }, form],
    ['forms only, with an inbox', { modes: { form: {} }, inbox }, form],
    ['pages only', { modes: { url: {} }, inbox }, page],
    ['both: an answer in the inbox counts', { modes: { form: {}, url: {} }, inbox }, page],
    ['both, trusted', { modes: { form: {}, url: {} }, inbox, trustClient: true }, form],
  ])('ask as the client can: %s', async (_, given, expected) => {
    const { call, asked } = await asking(given);
    await call('ask_person');
    expect(asked).toMatchObject([expected]);
  });

  it('take neither a page that was opened nor a form that was declined for an answer', async () => {
    const opened = await asking({ modes: { url: {} }, inbox });
    expect(await opened.call('ask_person')).toMatch(/^the inbox was shown, 1 question still open/);
    const declined = await asking({ modes: { form: {} }, reply: { action: 'decline' } });
    expect(await declined.call('ask_person')).toMatch(/did not decide \(decline\); nothing is/);
    expect([...opened.answers, ...declined.answers]).toEqual([]);
  });

  it('say what the person can do where a client can ask nothing', async () => {
    expect(await (await asking({})).call('ask_person')).toContain('decides in a terminal');
    const { call } = await asking({ modes: { url: {} } });
    expect(await call('ask_person')).toContain('`reviewloop inbox`');
  });

  it('record an answer for the version that was shown, which counts for a trusted client only', async () => {
    const reply: Reply = { action: 'accept', content: { R2: 'yes', why: 'I looked' } };
    const untrusted = await asking({ modes: {}, reply });
    expect(await untrusted.call('ask_person')).toContain('by mcp:desk; it does not count');
    expect(untrusted.answers).toMatchObject([
      { decisions: ['R2=yes'], reason: 'I looked', by: 'mcp:desk', version: madeReport().version },
    ]);
    const trusted = await asking({ modes: {}, reply, trustClient: true });
    expect(await trusted.call('ask_person')).toMatch(/^recorded: R2=yes by mcp:desk\n/);
  });

  it('show a run, and offer the tool of the app to no client without apps', async () => {
    const { client, call } = await asking({});
    expect(await call('show_report')).toContain('(run run-1)');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('decide');
    const none = await asking({ report: async () => undefined });
    expect(await none.call('show_report')).toContain('no run is stored');
  });

  it.each([
    '',
    'reviewloop',
    'ftp://127.0.0.1',
    'http://127.0.0.1:7070/#token=secret',
    'http://127.0.0.1:7070/?token=secret',
    'http://secret@127.0.0.1:7070',
  ])('refuse an address of the inbox that lets in whoever has it: %j', async (address) => {
    const error: unknown = await asking({ inbox: address }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'invalid_options' });
    expect(String(error)).not.toContain('secret');
  });
});
