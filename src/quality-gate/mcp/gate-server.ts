import type { McpServer } from '@modelcontextprotocol/server';
import { isReviewError, messageOf } from '../../core/errors.js';
import { loadPeer } from '../../core/load-peer.js';
import { type GateTool, gateTools } from './gate-tools.js';
import { type WorkflowOptions, Workflows } from './workflows.js';

/** Names the server to its clients. */
export interface GateServerOptions extends WorkflowOptions {
  /** @default '0.0.0' */
  readonly version?: string | undefined;
}

/** Servers of one gate: one for each connection. */
export interface GateServers {
  /** A server for a new connection. */
  readonly make: () => McpServer;
  /** Lets other processes go on with the workflows that are in use. */
  readonly close: () => Promise<void>;
}

/** A server over some transport. */
export interface ServedGate {
  /** Ends the connection, and lets other processes go on with the workflows. */
  readonly close: () => Promise<void>;
}

const peer = {
  feature: 'a server of the Model Context Protocol',
  packages: ['@modelcontextprotocol/server'],
};

/**
 * Makes servers of the Model Context Protocol that hold a coding agent to a quality gate.
 *
 * @throws ReviewLoopError `peer_missing`
 */
export async function gateServer({
  version = '0.0.0',
  ...options
}: GateServerOptions): Promise<GateServers> {
  const { McpServer: Server } = await loadPeer(peer, () => import('@modelcontextprotocol/server'));
  const workflows = new Workflows(options);
  const tools = gateTools(workflows);
  return {
    close: () => workflows.close(),
    make: () => {
      const server = new Server({ name: 'reviewloop', version }, { capabilities: { tools: {} } });
      for (const tool of tools) register(server, tool);
      return server;
    },
  };
}

/**
 * Serves the gate over the standard input and output of this process.
 *
 * @throws ReviewLoopError `peer_missing`
 * @example
 * ```ts
 * await serveGate({ gate: new QualityGate({ root: '.' }), folder: '.reviewloop/gates', verified: true });
 * ```
 */
export async function serveGate(options: GateServerOptions): Promise<ServedGate> {
  const { make, close } = await gateServer(options);
  const { serveStdio } = await loadPeer(peer, () => import('@modelcontextprotocol/server/stdio'));
  const handle = serveStdio(make);
  return {
    close: async () => {
      await handle.close();
      await close();
    },
  };
}

/** An error of a call is an answer that says so: the agent can do something about it. */
function register(server: McpServer, { name, description, input, call }: GateTool): void {
  server.registerTool(name, { description, inputSchema: input }, async (given, { mcpReq }) => {
    try {
      const answer = await call(given, mcpReq.signal);
      return {
        content: [{ type: 'text', text: JSON.stringify(answer, null, 2) }],
        structuredContent: { ...answer },
      };
    } catch (error) {
      const code = isReviewError(error) ? `[${error.code}] ` : '';
      return {
        isError: true,
        content: [
          {
            type: 'text',
            text: `${code}${error instanceof Error ? error.message : messageOf(error)}`,
          },
        ],
      };
    }
  });
}
