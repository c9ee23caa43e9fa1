import { describe, expect, it } from 'vitest';
import { loadPeer, loadPeerIfThere, loadPeers, peerMissing } from '@/core/load-peer.js';

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
