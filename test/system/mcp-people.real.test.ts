import { describe, expect, it } from 'vitest';
import { run } from './cli-harness.js';
import { type Answer, asking, inboxIn, project } from './mcp-harness.js';

const yes: Answer = { action: 'accept', content: { R1: 'yes' } };

describe.each(['legacy', 'auto'] as const)('a client of the %s protocol', (mode) => {
  it('asks the person; the answer does not count, unless the client is trusted', async () => {
    const { call, forms, audit } = await asking({ mode, answer: yes });
    const { text, data } = await call('ask_person');
    expect(forms).toMatchObject([
      { requestedSchema: { required: ['R1'], properties: { R1: { title: 'R1' } } } },
    ]);
    expect(JSON.stringify(forms)).not.toContain('default');
    expect(text).toContain('recorded: R1=yes by mcp:desk; it does not count');
    expect(data?.open).toHaveLength(1);
    expect(audit()).toContain('not counted: R1=yes');
    const trusted = await asking({ mode, answer: yes, flags: ['--trust-client'] });
    const counted = await trusted.call('ask_person');
    expect(counted.data?.headline).toMatch(/^APPROVED/);
    expect(trusted.audit()).toContain('mcp:desk');
  });

  it.each(['decline', 'cancel'] as const)('approves nothing after %s', async (action) => {
    const { call } = await asking({ mode, answer: { action }, flags: ['--trust-client'] });
    const { text, data } = await call('ask_person');
    expect(text).toContain(`the person did not decide (${action})`);
    expect(data?.open).toHaveLength(1);
  });

  it('opens the inbox where it has no form, and says what is stored', async () => {
    const cwd = await project();
    const { address, token, decide } = await inboxIn(cwd);
    const given = { mode, cwd, flags: ['--inbox', address], elicitation: { url: {} } };
    const opened = await asking({ ...given, answer: { action: 'accept', content: { R1: 'yes' } } });
    const { text, data } = await opened.call('ask_person');
    expect(text).toContain('the inbox was shown, 1 question still open');
    expect(data?.headline).not.toMatch(/^APPROVED/);
    expect(opened.forms).toMatchObject([{ mode: 'url', url: address }]);
    expect(JSON.stringify(opened.forms)).not.toContain(token);
    const declined = await asking({ ...given, answer: { action: 'decline' } });
    expect((await declined.call('ask_person')).text).toContain('did not decide (decline)');
    const both = { form: {}, url: {} };
    const answer = async (): Promise<Answer> => {
      expect((await decide('yes')).status).toBe(200);
      return { action: 'accept' };
    };
    const answered = await asking({ ...given, elicitation: both, answer });
    const after = await answered.call('ask_person');
    expect(after.text).toContain('no question is open');
    expect(after.data?.headline).toMatch(/^APPROVED/);
    expect(answered.audit()).toContain('"Ada"');
  });

  it.each([
    [{}, [], 'form'],
    [{ form: {}, url: {} }, [], 'form'],
    [{ form: {}, url: {} }, ['--trust-client', '--inbox', 'http://127.0.0.1:9'], 'form'],
    [{ form: {}, url: {} }, ['--inbox', 'http://127.0.0.1:9'], 'url'],
    [{ url: {} }, [], undefined],
  ])('is asked by what it can show: %j %j', async (elicitation, flags, way) => {
    const { call, forms } = await asking({ mode, elicitation, flags, answer: yes });
    const { text } = await call('ask_person');
    expect(forms.map((form) => Object(form).mode)).toEqual(way === undefined ? [] : [way]);
    if (way === undefined) expect(text).toContain('tell the person to run `reviewloop inbox`');
  });

  it('gets text where it can neither ask nor show, and cannot decide', async () => {
    const { call } = await asking({ mode, flags: ['--trust-client'] });
    expect((await call('ask_person')).text).toContain('this client cannot ask');
    const { data, text } = await call('show_report');
    expect(text).toContain('undecided R1');
    const { runId: id, version } = data ?? {};
    const input = { run: id, version, decisions: { R1: 'yes' } };
    const refused = await call('decide', input).catch((error: unknown) => ({
      text: String(error),
    }));
    expect(refused.text).toMatch(/only the app of this server may decide|decide not found/);
    expect((await call('show_report')).data?.headline).not.toMatch(/^APPROVED/);
  });

  it('shows the report as an app, which alone decides, for the version that it shows', async () => {
    const { client, call } = await asking({ mode, apps: true, flags: ['--trust-client'] });
    const { tools } = await client.listTools();
    const ui = { resourceUri: 'ui://reviewloop/report' };
    expect(tools.find(({ name }) => name === 'show_report')?._meta).toEqual({ ui });
    expect(tools.find(({ name }) => name === 'decide')?._meta).toEqual({
      ui: { ...ui, visibility: ['app'] },
    });
    const { contents } = await client.readResource({ uri: ui.resourceUri });
    expect(contents[0]).toMatchObject({ mimeType: 'text/html;profile=mcp-app' });
    const { data } = await call('show_report');
    const input = { run: data?.runId, version: data?.version, decisions: { R1: 'yes' } };
    expect((await call('decide', { ...input, version: 'other' })).text).toContain(
      'the run has another version now',
    );
    expect((await call('decide', input)).data?.headline).toMatch(/^APPROVED/);
  });
});

it.each(['http://127.0.0.1:9/#token=secret', 'http://a:secret@b', 'http://b?c=secret', 'secret'])(
  'takes no inbox that lets in whoever opens it: %s',
  async (address) => {
    const { code, err } = await run(await project(), ['mcp', '--inbox', address]);
    expect(code).toBe(2);
    expect(err).toContain('an address without a token');
    expect(err).not.toContain('secret');
  },
);
