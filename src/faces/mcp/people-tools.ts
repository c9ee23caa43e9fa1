import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { messageOf } from '../../core/errors.js';
import { isOpen } from '../../core/gap.js';
import { invalid } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import { redactJson } from '../../core/redact/redact-json.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import { truncate } from '../../core/text/truncate.js';
import { gapDescription, gapsByFile, placeOf } from '../reports/gap-order.js';
import type { RunReport } from '../reports/run-report.js';
import { type OpenQuestion, openQuestions } from '../reports/run-words.js';
import { headline, verdictOf } from '../reports/verdict-words.js';
import { appPage, appUri } from './app-page.js';

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

export interface PeopleOptions {
  /** Returns a run by its id or the beginning of it; without one, the run that was stored last. */
  readonly report: (id: string | undefined) => Promise<RunReport | undefined>;
  /** Records an answer. It rejects one about another version than the run's. */
  readonly answer: (answer: ClientAnswer) => Promise<void>;
  /** Whether answers of the client count as those of a person. @default false */
  readonly trustClient?: boolean | undefined;
  /**
   * The address of an inbox that runs, without its token: the page asks for it. A client that opens
   * pages leads the person there.
   *
   * @default none
   */
  readonly inbox?: string | undefined;
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

/** Refuses an address that lets in whoever has it: the client learns it, and its model may. */
export function checkInbox(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const { protocol = '', username, password, search, hash } = url ?? {};
  if (!/^https?:$/.test(protocol) || [username, password, search, hash].some(Boolean))
    throw invalid('inbox', 'an address without a token, such as http://127.0.0.1:7070', '(hidden)');
}

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
  const elicitation = clientOf(server, context).capabilities['elicitation'];
  if (elicitation === undefined)
    return said(asked, 'this client cannot ask; tell the person, who decides in a terminal');
  if (asksByPage(membersOf(elicitation), people)) return askByPage(asked, call);
  // an answer about another version has another key, and is asked again
  const key = `decide-${asked.version.replace(/\W/g, '').slice(0, 40)}`;
  const answer = sdk.inputResponse(context.mcpReq.inputResponses, key);
  if (answer.kind !== 'elicit')
    return sdk.inputRequired({ inputRequests: { [key]: sdk.inputRequired.elicit(form(asked)) } });
  if (answer.action !== 'accept') return notDecided(asked, answer.action);
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

/**
 * The page of the inbox replaces a form of the client: where there are no forms, and where an
 * answer in the inbox counts and one in a form does not.
 */
function asksByPage(modes: Readonly<Record<string, unknown>>, people: PeopleOptions): boolean {
  const { form, url } = modes;
  if (url === undefined) return false;
  return form === undefined || (people.inbox !== undefined && people.trustClient !== true);
}

/** Only what the person answers in the inbox counts, not the visit. */
function askByPage(asked: AskedRun, { people: { inbox }, sdk, context }: Call) {
  if (inbox === undefined)
    return said(asked, 'this client shows no form; tell the person to run `reviewloop inbox`');
  const key = 'inbox';
  const answer = sdk.inputResponse(context.mcpReq.inputResponses, key);
  if (answer.kind !== 'elicit') {
    const message = `${questionsText(asked)}\nThe page asks for the token of \`reviewloop inbox\`.`;
    const page = sdk.inputRequired.elicitUrl({ url: inbox, message });
    return sdk.inputRequired({ inputRequests: { [key]: page } });
  }
  if (answer.action !== 'accept') return notDecided(asked, answer.action);
  const open = `${plural(asked.open.length, 'question')} still open`;
  return said(asked, `the inbox was shown, ${open}; show_report says what the person decided`);
}

function notDecided(asked: AskedRun, action: string) {
  return said(asked, `the person did not decide (${action}); nothing is approved`);
}

/** Those that a form quotes for one question. */
const mostPassages = 3;

function questionsText({ headline, open }: AskedRun): string {
  const lines = open.map(({ id, text, passages }) =>
    [`${id}: ${text}`, ...passages.slice(0, mostPassages).map(passageText)].join('\n'),
  );
  return [headline, ...lines].join('\n');
}

/** Nothing is chosen before. */
function form(asked: AskedRun) {
  const { open } = asked;
  const choices = [
    { const: 'yes', title: 'Yes, met' },
    { const: 'no', title: 'No' },
    { const: 'open', title: 'Cannot tell' },
  ];
  const choice = (title: string) => ({ type: 'string' as const, title, oneOf: choices });
  return {
    mode: 'form' as const,
    message: questionsText(asked),
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
  if (!(wasAsked || showsApps(client))) throw new Error('only the app of this server may decide');
  const asked = await foundRun(people, run);
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

/** Errors become results, so that a client can show them. */
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

/** Told once, or since 2026-07-28 with each request. */
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

interface AskedRun {
  readonly runId: string;
  /** The digest of the version that the questions are about. */
  readonly version: string;
  readonly headline: string;
  readonly reason: string;
  readonly gaps: readonly {
    readonly severity: string;
    readonly place: string;
    readonly text: string;
    readonly fix: string;
  }[];
  /** How many gaps are not listed. */
  readonly more: number;
  readonly open: readonly OpenQuestion[];
}

/** The most gaps and questions that are shown. */
const most = 50;

function askedRun(report: RunReport): AskedRun {
  const { runId, version = '' } = report;
  const gaps = gapsByFile(report.gaps.filter(isOpen));
  return {
    ...{ runId, version },
    headline: headline(report),
    reason: verdictOf(report).why,
    gaps: gaps.slice(0, most).map((gap) => ({
      severity: gap.severity,
      place: placeOf(gap),
      text: gapDescription(gap, report),
      fix: gap.suggestedFix,
    })),
    more: Math.max(0, gaps.length - most),
    open: openQuestions(report).slice(0, most),
  };
}

/** For a client that shows no app. */
function askedText({ runId, headline: first, reason, gaps, more, open }: AskedRun): string {
  return [
    `${first} (run ${runId})`,
    reason,
    ...gaps.map(({ severity, place, text, fix }) => `- [${severity}] ${place} ${text} Fix: ${fix}`),
    ...(more === 0 ? [] : [`- and ${more} more gaps`]),
    ...open.map(({ id, text, why }) => `- undecided ${id}: ${text} ${why}`),
  ].join('\n');
}

function passageText({ file, line, quote }: OpenQuestion['passages'][number]): string {
  return `${file}:${line}: "${truncate(quote, 300).text}"`;
}
