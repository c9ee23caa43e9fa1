import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadPeer, loadPeerIfThere, loadPeers, peerMissing } from '@/core/load-peer.js';
import { checkPeers, peerVersions } from '@/core/peer-versions.js';
import manifest from '../../../package.json' with { type: 'json' };

const peer = { feature: 'drawing a picture', packages: ['brush', '@ink/black'] };
const absent = (code = 'ERR_MODULE_NOT_FOUND') =>
  Object.assign(new Error("Cannot find package 'brush'"), { code });

describe('packages that users install themselves', () => {
  it('are loaded where they are there', async () => {
    expect(await loadPeer(peer, async () => 'loaded')).toBe('loaded');
    expect(await loadPeerIfThere(peer, async () => 'loaded')).toBe('loaded');
  });

  it('are named with what needs them and the command that installs them', async () => {
    await expect(loadPeer(peer, () => Promise.reject(absent()))).rejects.toMatchObject({
      code: 'peer_missing',
      what: 'drawing a picture needs the packages brush and @ink/black (npm install brush @ink/black)',
      value: 'brush @ink/black',
      cause: { code: 'ERR_MODULE_NOT_FOUND' },
    });
  });

  it('are loaded together, and all that are missing are named at once', async () => {
    const one = async () => 'one';
    const none = () => Promise.reject(absent());
    expect(await loadPeers('drawing', { brush: one })).toEqual({ brush: 'one' });
    await expect(
      loadPeers('drawing', { brush: none, ink: one, '@ink/black': none }),
    ).rejects.toMatchObject({
      code: 'peer_missing',
      what: 'drawing needs the packages brush and @ink/black (npm install brush @ink/black)',
    });
  });

  it('say why they fail where they are installed', async () => {
    const broken = new Error('wrong ELF class');
    await expect(
      loadPeer({ ...peer, packages: ['brush'] }, () => Promise.reject(broken)),
    ).rejects.toMatchObject({
      what: 'drawing a picture needs the package brush (npm install brush), but loading failed: wrong ELF class',
      cause: broken,
    });
    await expect(loadPeerIfThere(peer, () => Promise.reject(broken))).rejects.toMatchObject({
      code: 'peer_missing',
      cause: broken,
    });
  });

  it('may be absent where something else does as well', async () => {
    for (const error of [
      absent(),
      absent('MODULE_NOT_FOUND'),
      new Error('wrapped', { cause: absent() }),
    ]) {
      expect(await loadPeerIfThere(peer, () => Promise.reject(error))).toBeUndefined();
    }
  });

  it('are one of several, of which the broken one is told', () => {
    const broken = new Error('compiled for another Node.js');
    const { what, cause } = peerMissing(
      { feature: 'it', packages: ['one'], otherwise: 'the package two' },
      absent('MODULE_NOT_FOUND'),
      broken,
      'no error',
    );
    expect(what).toBe(
      'it needs the package one (npm install one), or the package two, but loading failed: compiled for another Node.js',
    );
    expect(cause).toMatchObject({ errors: [{ code: 'MODULE_NOT_FOUND' }, broken, 'no error'] });
  });
});

describe('versions of packages', () => {
  const versions = [
    ['openai', '4.104.0', 'openai from 6 to below 8'],
    ['openai', '6.0.0', undefined],
    ['openai', '8.0.0-beta.1', 'openai from 6 to below 8'],
    ['ai', '5.0.100', 'ai from 6 to below 8'],
    ['pg', '8.9.0', 'pg from 8.11 to below 9'],
    ['pg', '8.11.0', undefined],
    [
      '@langchain/core',
      '1.0.3',
      '@langchain/core from 0.3.80 to below 0.4, or from 1.1 to below 2',
    ],
    ['@openai/agents', '0.8.5', undefined],
    ['playwright-core', '1.99.1', undefined],
    ['playwright-core', '1.49.1', 'playwright-core 1.50 or newer'],
    ['unknown', '0.0.1', undefined],
  ] as const;
  it.each(versions)('%s %s: what needs it names %s [R3-110]', (name, version, needed) => {
    const check = () => checkPeers('drawing', [name], () => version);
    if (needed === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(`drawing needs ${needed}, and ${version} is installed (npm install`);
  });

  it('are those that are installed, and any may be installed [R3-110]', () => {
    const { peerDependencies, peerDependenciesMeta } = manifest;
    expect(Object.keys(peerVersions)).toEqual(Object.keys(peerDependencies));
    expect(new Set(Object.values(peerDependencies))).toEqual(new Set(['*']));
    expect(Object.values(peerDependenciesMeta).every(({ optional }) => optional)).toBe(true);
    const names = Object.keys(peerVersions);
    expect(() => checkPeers('drawing', names)).not.toThrow();
    expect(() => checkPeers('drawing', names, () => '0.0.1')).toThrow('0.0.1 is installed');
  });

  it('are refused before a package is loaded', async () => {
    const load = vi.fn();
    const parse = vi.spyOn(JSON, 'parse').mockReturnValue({ version: '5.0.0' });
    onTestFinished(() => parse.mockRestore());
    await expect(loadPeer({ feature: 'x', packages: ['openai'] }, load)).rejects.toMatchObject({
      ...{ code: 'peer_missing', value: 'openai@5.0.0' },
    });
    expect(load).not.toHaveBeenCalled();
  });
});
