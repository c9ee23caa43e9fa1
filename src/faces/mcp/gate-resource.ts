import type { McpServer } from '@modelcontextprotocol/server';
import { messageOf } from '../../core/errors.js';

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
const everyMs = 2000;

export function registerResources(
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
  const timer = setInterval(() => void compareAll(), everyMs).unref();
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
