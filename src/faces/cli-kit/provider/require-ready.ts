import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { anthropicClient } from '../../../adapters/providers/anthropic/anthropic-provider.js';
import { ollamaAddress } from '../../../adapters/providers/ollama/ollama-provider.js';
import { openaiClient } from '../../../adapters/providers/openai/openai-provider.js';
import { faultOfThrown } from '../../../blocks/models/provider-fault.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { systemCode } from '../../../node/durable.js';
import { cliErrors } from '../errors.js';

/** A slow service counts as ready. */
const connectMs = 3000;

/**
 * Before any work begins, checks that its package is installed, it has a key, its program is on the
 * PATH, or something listens at its address. Asks no model.
 */
export async function requireReady(name: string, baseUrl: string | undefined): Promise<void> {
  const [kind = '', program = ''] = name.split(':');
  if (kind === 'cli') return requireProgram(name, program);
  if (kind === 'openai' || kind === 'anthropic') await requireKey(name, kind, baseUrl);
  const address = baseUrl ?? (kind === 'ollama' ? ollamaAddress : undefined);
  if (address !== undefined) await requireServer(name, new URL(address));
}

async function requireProgram(name: string, program: string): Promise<void> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of folders)
    for (const ending of endings) {
      const found = access(join(folder, `${program}${ending}`), constants.X_OK);
      if (
        await found.then(
          () => true,
          () => false,
        )
      )
        return;
    }
  throw notReady(`${name} needs the program ${program}, which is not on the PATH`);
}

const keys = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY' } as const;

/** The client of the vendor looks for its key when it prepares a request, which is never sent. */
async function requireKey(
  name: string,
  kind: keyof typeof keys,
  baseURL: string | undefined,
): Promise<void> {
  const settings = { baseURL, fetch: () => Promise.reject(new Error('not sent')) };
  const body = { model: 'm', max_tokens: 1, messages: [] };
  const ask = async (): Promise<unknown> =>
    kind === 'openai'
      ? (await openaiClient(settings)).chat.completions.create(body as never, {} as never)
      : (await anthropicClient(settings)).messages.create(body as never, {} as never);
  const thrown = await ask().catch((error: unknown) => error);
  const fault = faultOfThrown({ id: name, secrets: [] }, thrown);
  if (fault.code === 'peer_missing') throw fault;
  if (fault.code === 'provider_unauthorized')
    throw notReady(`${name} has no key: set ${keys[kind]}, or pass --base-url for another service`);
}

/** Connects to its address, and sends nothing. */
async function requireServer(name: string, { protocol, hostname, port }: URL): Promise<void> {
  const to = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
  const fault = await new Promise<unknown>((resolve) => {
    const socket = connect({ ...to, timeout: connectMs });
    for (const event of ['connect', 'timeout'] as const)
      socket.once(event, () => resolve(undefined));
    socket.once('error', resolve);
    socket.once('close', () => resolve(undefined));
    const end = (): void => void socket.destroy();
    socket.once('connect', end).once('timeout', end);
  });
  if (fault === undefined) return;
  const why = systemCode(fault) === 'ENOTFOUND' ? 'no such host' : systemCode(fault);
  throw notReady(`${name} cannot be reached: nothing answers at ${to.host}:${to.port} (${why})`);
}

function notReady(what: string): ReviewLoopError {
  return new ReviewLoopError(cliErrors.provider_not_ready, what);
}
