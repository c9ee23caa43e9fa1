import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { messageOf } from '../../core/errors.js';
import { redactJson } from '../../core/redact/redact-json.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import type { RunReport } from '../reports/run-report.js';
import { appPage, appUri } from './app-page.js';
import { type AskedRun, askedRun, askedText, passageText } from './asked-run.js';

/** An answer of a person, as a client tells it. */
export interface ClientAnswer {
  readonly runId: string;
  /** The version that the person saw. */
  readonly version: string;
  /** Such as `R6=yes`. */
  readonly decisions: readonly string[];
  readonly reason: string | undefined;
  /** The client, such as `mcp:claude-code`: nobody knows which person, or whether it is one. */
  readonly by: string;
}

/** What a server needs to show a run to a person, and to ask them. */
export interface PeopleOptions {
  /** Returns a run by its id or the beginning of it; without one, the run that was stored last. */
  readonly report: (id: string | undefined) => Promise<RunReport | undefined>;
  /** Records an answer. It rejects one about another version than the run's. */
  readonly answer: (answer: ClientAnswer) => Promise<void>;
  /** Whether answers of the client count as those of a person. @default false */
  readonly trustClient?: boolean | undefined;
}

type Sdk = Pick<
  typeof import('@modelcontextprotocol/server'),
  'inputRequired' | 'inputResponse' | 'acceptedContent'
>;

const RunInput = z.strictObject({
  run: z.string().min(1).optional().describe('the id of a run; without it, the last one'),
});
const Decision = z.enum(['yes', 'no']);
const DecideInput = z.strictObject({
  run: z.string().min(1),
  version: z.string().min(1),
  decisions: z.record(z.string(), Decision),
  reason: z.string().optional(),
});

/** Registers what a client shows to a person: the last report, its questions, and their answers. */
export function registerPeople(server: McpServer, people: PeopleOptions, sdk: Sdk): void {
  const ui = { resourceUri: appUri };
  server.registerResource('report', appUri, { mimeType: appType }, async () => ({
    contents: [{ uri: appUri, mimeType: appType, text: appPage }],
  }));
  server.registerTool(
    'show_report',
    {
      description: 'Shows the person the report of a run: the verdict, gaps and open questions.',
      inputSchema: RunInput,
      _meta: { ui },
    },
    safely(async ({ run }) => shown(await foundRun(people, run))),
  );
  server.registerTool(
    'ask_person',
    {
      description:
        'Asks the person, in this client, what nobody but a person can decide about a run.',
      inputSchema: RunInput,
    },
    safely((input, context) => askPerson(input, { server, people, sdk, context })),
  );
  const decide = server.registerTool(
    'decide',
    {
      description: 'Records what the person decided in the app.',
      inputSchema: DecideInput,
      _meta: { ui: { ...ui, visibility: ['app'] } },
    },
    safely((input, context) => decided(input, { server, people, sdk, context })),
  );
  // a client without apps would show the tool to its model
  server.server.oninitialized = () => {
    if (!showsApps(clientOf(server, undefined))) decide.remove();
  };
}

/** The type of a page that a client shows beside a conversation. */
const appType = 'text/html;profile=mcp-app';

interface Call {
  readonly server: McpServer;
  readonly people: PeopleOptions;
  readonly sdk: Sdk;
  readonly context: ServerContext;
}

async function askPerson({ run }: z.infer<typeof RunInput>, call: Call) {
  const { server, people, sdk, context } = call;
  const asked = await foundRun(people, run);
  if (asked.open.length === 0) return said(asked, 'no question is open');
  const client = clientOf(server, context);
  if (client.capabilities['elicitation'] === undefined)
    return said(asked, 'this client cannot ask; tell the person, who decides in a terminal');
  // an answer about another version has another key, and is asked again
  const key = `decide-${asked.version.replace(/\W/g, '').slice(0, 40)}`;
  const answer = sdk.inputResponse(context.mcpReq.inputResponses, key);
  if (answer.kind !== 'elicit')
    return sdk.inputRequired({ inputRequests: { [key]: sdk.inputRequired.elicit(form(asked)) } });
  if (answer.action !== 'accept')
    return said(asked, `the person did not decide (${answer.action}); nothing is approved`);
  const { content = {} } = answer;
  const decisions = Object.fromEntries(
    asked.open.flatMap(({ id }) => {
      const { data } = Decision.safeParse(content[id]);
      return data === undefined ? [] : [[id, data]];
    }),
  );
  const why = content['why'];
  const reason = typeof why === 'string' ? why : undefined;
  return decided({ run: asked.runId, version: asked.version, decisions, reason }, call, true);
}

/** The most places of a version that a form quotes for one question. */
const mostPassages = 3;

/** Returns the form in which a client asks. Nothing is chosen before. */
function form({ headline, open }: AskedRun) {
  const choices = [
    { const: 'yes', title: 'Yes, met' },
    { const: 'no', title: 'No' },
    { const: 'open', title: 'Cannot tell' },
  ];
  const lines = open.map(({ id, text, passages }) =>
    [`${id}: ${text}`, ...passages.slice(0, mostPassages).map(passageText)].join('\n'),
  );
  const choice = (title: string) => ({ type: 'string' as const, title, oneOf: choices });
  return {
    mode: 'form' as const,
    message: [headline, ...lines].join('\n'),
    requestedSchema: {
      type: 'object' as const,
      properties: {
        ...Object.fromEntries(open.map(({ id }) => [id, choice(id)])),
        why: { type: 'string' as const, title: 'What is missing?' },
      },
      required: open.filter(({ must }) => must).map(({ id }) => id),
    },
  };
}

async function decided(
  { run, version, decisions, reason }: z.infer<typeof DecideInput>,
  { server, people, context }: Call,
  wasAsked = false,
) {
  const client = clientOf(server, context);
  const asked = await foundRun(people, run);
  if (!(wasAsked || showsApps(client))) throw new Error('only the app of this server may decide');
  if (asked.version !== version)
    throw new Error('the run has another version now; look at it first');
  const words = Object.entries(decisions).map(([name, word]) => `${name}=${word}`);
  if (words.length === 0) return said(asked, 'nothing was decided');
  const by = `mcp:${client.name}`;
  await people.answer({ runId: asked.runId, version, decisions: words, reason, by });
  const text = `recorded: ${words.join(' ')} by ${by}`;
  return people.trustClient === true
    ? said(await foundRun(people, asked.runId), text)
    : said(asked, `${text}; it does not count, a person decides in a terminal`);
}

async function foundRun({ report }: PeopleOptions, id: string | undefined): Promise<AskedRun> {
  const found = await report(id);
  if (found === undefined) throw new Error('no run is stored; review something first');
  return redactJson(askedRun(found));
}

function shown(asked: AskedRun) {
  return {
    content: [{ type: 'text' as const, text: askedText(asked) }],
    structuredContent: { ...asked },
  };
}

function said(asked: AskedRun, text: string) {
  const { structuredContent } = shown(asked);
  return {
    content: [{ type: 'text' as const, text: `${text}\n${asked.headline}` }],
    structuredContent: { ...structuredContent, said: text },
  };
}

/** Returns a function whose errors are results, so that a client can show them. */
function safely<Input, Result>(work: (input: Input, context: ServerContext) => Promise<Result>) {
  return async (input: Input, context: ServerContext) => {
    try {
      return await work(input, context);
    } catch (error) {
      const text = redactSecrets(messageOf(error));
      return { isError: true, content: [{ type: 'text' as const, text }] };
    }
  };
}

interface Client {
  readonly name: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** Returns what a client says of itself: once, or since 2026-07-28 with each request. */
function clientOf({ server }: McpServer, context: ServerContext | undefined): Client {
  const told: Readonly<Record<string, unknown>> = { ...context?.mcpReq.envelope };
  const about = membersOf(told['io.modelcontextprotocol/clientInfo'] ?? server.getClientVersion());
  const capabilities = membersOf(
    told['io.modelcontextprotocol/clientCapabilities'] ?? server.getClientCapabilities(),
  );
  const name = String(about['name'] ?? 'unknown').replace(/[^\w.-]+/g, '-');
  return { name: name.slice(0, 60), capabilities };
}

function showsApps({ capabilities }: Client): boolean {
  return membersOf(capabilities['extensions'])['io.modelcontextprotocol/ui'] !== undefined;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
