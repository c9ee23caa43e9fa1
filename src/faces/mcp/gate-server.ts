import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { loadPeer, mayBeAbsent } from '../../core/load-peer.js';
import { checkKeys } from '../../core/options.js';
import { redactJson } from '../../core/redact/redact-json.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import { gateErrors } from '../../products/quality-gate/errors.js';
import { commandLineHint } from '../commands/quality-gate/gate-of.js';
import { type GateTool, gateTools } from './gate-tools.js';
import { checkInbox, type PeopleOptions, registerPeople } from './people-tools.js';
import { type WorkflowOptions, Workflows } from './workflows.js';

interface GateServerOptions extends WorkflowOptions {
  /** The version that the server reports to clients. @default '0.0.0' */
  readonly version?: string | undefined;
  /** What clients can read beside the tools. @default none */
  readonly resources?: readonly GateResource[] | undefined;
  /** Shows runs to the person at the client, and asks them. @default no such tools */
  readonly people?: PeopleOptions | undefined;
}

/** The servers of one gate: one for each connection. */
export interface GateServers {
  /** Creates a server for a new connection. */
  readonly make: (context?: { readonly era?: string | undefined }) => McpServer;
  /** Ends what watches the resources. */
  readonly close: () => void;
}

/** A running server. */
export interface ServedGate {
  /** Rejects if the connection cannot go on: a message of the client was too long. */
  readonly failed: Promise<never>;
  /** Ends the connection. */
  readonly close: () => Promise<void>;
}

const peer = {
  feature: 'a server of the Model Context Protocol',
  packages: ['@modelcontextprotocol/server'],
};

const optionNames = [
  'version',
  'resources',
  'people',
  'gate',
  'folder',
  'mode',
  'verified',
  'maxAttempts',
  'selfReviewInlineFiles',
  'audit',
  'clock',
  'random',
];

/**
 * Creates servers of the Model Context Protocol for a quality gate. A coding agent uses it through
 * them.
 *
 * @throws ReviewLoopError `peer_missing` or `invalid_options`
 */
export async function gateServer(given: GateServerOptions): Promise<GateServers> {
  checkKeys('gateServer', given, optionNames);
  const { version = '0.0.0', resources = [], people, ...options } = given;
  if (people?.inbox !== undefined) checkInbox(people.inbox);
  const { McpServer: Server, ...sdk } = await loadPeer(peer, () =>
    import('@modelcontextprotocol/server').catch(mayBeAbsent),
  );
  const workflows = new Workflows(options);
  const tools = gateTools(workflows);
  const open = new Set<() => void>();
  return {
    close: () => {
      for (const end of open) end();
    },
    make: ({ era } = {}) => {
      const read = resources.length > 0 && { resources: { subscribe: true } };
      const server = new Server(
        { name: 'reviewloop', version },
        { capabilities: { tools: {}, ...read } },
      );
      for (const tool of tools) register(server, tool);
      if (resources.length > 0) open.add(registerResources(server, resources, era === 'modern'));
      if (people !== undefined) registerPeople(server, people, sdk);
      return server;
    },
  };
}

/**
 * Serves a quality gate over the standard input and output of this process.
 *
 * @throws ReviewLoopError `peer_missing`
 * @example
 * ```ts
 * const gate = new QualityGate({ root: '.' });
 * await serveGate({ gate, folder: '.reviewloop/gates', verified: true });
 * ```
 */
export async function serveGate(options: GateServerOptions): Promise<ServedGate> {
  const { make, close } = await gateServer(options);
  const { serveStdio, StdioServerTransport: Transport } = await loadPeer(peer, () =>
    import('@modelcontextprotocol/server/stdio').catch(mayBeAbsent),
  );
  const maxBufferSize = longestMessage;
  const transport = new Transport(process.stdin, process.stdout, { maxBufferSize });
  let lost: (error: ReviewLoopError) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    lost = reject;
  });
  failed.catch(() => {});
  const handle = serveStdio(make, {
    transport,
    onerror: (error) => {
      if (/exceeded maximum size/.test(error.message)) lost(tooLong(error));
    },
  });
  return {
    failed,
    close: async () => {
      await handle.close();
      close();
    },
  };
}

/** The outputs of a step are files, so that messages are short. */
const longestMessage = 10_000_000;

function tooLong(cause: unknown): ReviewLoopError {
  return new ReviewLoopError(
    gateErrors.gate_message_too_large,
    `a message of the client has more than ${longestMessage / 1_000_000} MB`,
    { cause },
  );
}

function register(server: McpServer, { name, description, input, call }: GateTool): void {
  server.registerTool(name, { description, inputSchema: input }, async (given, { mcpReq }) => {
    const stop = tellProgress(mcpReq, name);
    try {
      const answer = redactJson(await call(given, mcpReq.signal));
      return {
        content: [{ type: 'text', text: JSON.stringify(answer, null, 2) }],
        structuredContent: { ...answer },
      };
    } catch (thrown) {
      const error = commandLineHint(thrown);
      const code = isReviewError(error) ? `[${error.code}] ` : '';
      // with the way to fix it, which `messageOf` leaves out
      const message = error instanceof Error ? error.message : messageOf(error);
      const text = redactSecrets(`${code}${message}`);
      return { isError: true, content: [{ type: 'text', text }] };
    } finally {
      stop();
    }
  });
}

/** How often a client is told that a call still runs, in milliseconds. */
const everyMs = 10_000;

/**
 * Does so only if the client asked for progress. A client that counts its timeout from the last
 * notice then waits for a review of minutes.
 *
 * @returns A function that ends the notices.
 */
function tellProgress({ _meta, notify }: ServerContext['mcpReq'], tool: string): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress += everyMs / 1000;
    const params = { progressToken, progress, message: `${tool} runs for ${progress} s` };
    notify({ method: 'notifications/progress', params }).catch(() => {
      // the client has gone; its signal ends the call
    });
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** JSON that a client reads beside the tools. */
export interface GateResource {
  /** The address, such as `reviewloop://questions`. */
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** Returns the content, as JSON data. */
  readonly read: () => Promise<unknown>;
}

/** How often resources are compared, in milliseconds. */
const compareMs = 2000;

function registerResources(
  server: McpServer,
  resources: readonly GateResource[],
  modern: boolean,
): () => void {
  const watched = new Map<string, string | undefined>();
  for (const { uri, name, description, read } of resources)
    server.registerResource(name, uri, { description, mimeType: 'application/json' }, async () => {
      const text = textOf(await read());
      // what a client has seen is no news to it
      if (watched.has(uri)) watched.set(uri, text);
      return { contents: [{ uri, mimeType: 'application/json', text }] };
    });
  // since 2026 the transport knows who listens to what; before, each server does
  if (modern) for (const { uri } of resources) watched.set(uri, undefined);
  else followSubscriptions(server, watched);
  return watchResources(server, resources, watched);
}

type Watched = Map<string, string | undefined>;

function watchResources(
  server: McpServer,
  resources: readonly GateResource[],
  watched: Watched,
): () => void {
  const compare = async ({ uri, read }: GateResource): Promise<void> => {
    if (!watched.has(uri)) return;
    const before = watched.get(uri);
    const now = await read().then(textOf, messageOf);
    if (!watched.has(uri) || watched.get(uri) !== before || before === now) return;
    watched.set(uri, now);
    if (before !== undefined) await server.server.sendResourceUpdated({ uri });
  };
  let isFree = true;
  const compareAll = async (): Promise<void> => {
    if (!isFree) return;
    isFree = false;
    // a client that has gone is told nothing; its server is closed soon
    await Promise.allSettled(resources.map(compare));
    isFree = true;
  };
  const timer = setInterval(() => void compareAll(), compareMs).unref();
  return () => clearInterval(timer);
}

function followSubscriptions(server: McpServer, watched: Watched): void {
  server.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    watched.set(uri, undefined);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    watched.delete(uri);
    return {};
  });
}

function textOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
