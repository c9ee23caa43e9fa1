import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { snippetsOf } from '../docs/snippets.js';
import { runBundled, scratchFile } from './example-harness.js';

/** Makes every way to a network throw, also for packages that load later. */
const cutOff = `
const refuse = (name) => () => { throw new Error('the network was used: ' + name); };
require('node:net').Socket.prototype.connect = refuse('net');
require('node:net').Server.prototype.listen = refuse('listen');
require('node:dgram').Socket.prototype.send = refuse('dgram');
const dns = require('node:dns');
for (const of of [dns, dns.promises]) for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) of[name] = refuse('dns');
globalThis.fetch = refuse('fetch');
`;

const firstProgram = () => {
  const page = 'docs/tutorial/a-loop.md';
  const [snippet] = snippetsOf(page, readFileSync(`${root}${page}`, 'utf8'));
  if (snippet === undefined) throw new Error(`${page} has no ts block`);
  return snippet.code;
};

describe('no telemetry', () => {
  it('the first program of the tutorial is approved without any network', async () => {
    const guard = scratchFile('cut-off.cjs', cutOff);
    const code = `${firstProgram()}\nconsole.log(outcome.status);`;
    const { out, err } = await runBundled({ code }, 'tutorial-first', ['--require', guard]);
    expect(err).toBe('');
    expect(out.trim().split('\n').at(-1)).toBe('approved');
  });

  it('a program that does use the network is caught', async () => {
    const guard = scratchFile('cut-off.cjs', cutOff);
    const code = `import { connect } from 'node:net';\nimport 'reviewloop';\nconnect(9, '127.0.0.1');`;
    const { code: exit, err } = await runBundled({ code }, 'with-network', ['--require', guard]);
    expect(exit).not.toBe(0);
    expect(err).toContain('the network was used: net');
  });
});
