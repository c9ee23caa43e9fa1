import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sharedIn } from '../../../src/cli-kit/shared-folder.js';
import { localFolder, storeFolder, storeWords } from '../../../src/cli-kit/store-folder.js';

afterEach(() => vi.unstubAllEnvs());

const address = 'postgres://app:geheim@db.example.com:5433/reviews?sslpassword=geheim';

describe('a store at an address', () => {
  it('is named without its password, and opened with it', () => {
    const folder = storeFolder(address);
    const words = 'postgres://app@db.example.com:5433/reviews';
    expect(storeWords('/work', folder)).toBe(` --store ${words}`);
    expect(sharedIn(folder)?.address).toBe(address);
    expect(sharedIn(folder)?.name).toBe('PostgreSQL at db.example.com:5433/reviews');
    expect(folder).not.toContain('geheim');
    // the words stand for the address with its password
    expect(sharedIn(storeFolder(words))?.address).toBe(address);
  });

  it('may be in an environment variable, which printed commands name', () => {
    vi.stubEnv('REVIEWS_DB', `${address}&x=1`);
    const folder = storeFolder('env:REVIEWS_DB');
    expect(storeWords('/work', folder)).toBe(' --store env:REVIEWS_DB');
    expect(sharedIn(folder)?.address).toContain('geheim');
  });

  it('a variable may name a folder or a file, but no other variable', () => {
    vi.stubEnv('PLACE', 'sqlite:runs.db');
    expect(storeFolder('env:PLACE')).toBe('runs.db.sqlite-reports');
    vi.stubEnv('PLACE', 'env:OTHER');
    expect(() => storeFolder('env:PLACE')).toThrow(/not the name of another variable/);
    vi.stubEnv('PLACE', '');
    expect(() => storeFolder('env:PLACE')).toThrow(/the environment variable PLACE is not set/);
    expect(() => storeFolder('env:')).toThrow(/variable NAME is not set/);
  });

  it.each([
    'postgres:/app:geheim@db/reviews',
    'postgress://app:geheim@db/reviews',
    'mysql://app:geheim@db/reviews',
    'postgres://app:1/geheim@db/reviews',
    'postgres://app:geheim/x@db/reviews',
    'app:geheim@db/reviews',
  ])('a wrong one is refused without its password: %s', (wrong) => {
    expect(() => storeFolder(wrong)).toThrow();
    try {
      storeFolder(wrong);
    } catch (error) {
      expect(String(error)).not.toContain('geheim');
    }
  });

  it('leaves what belongs to one machine in a folder of it', () => {
    expect(localFolder(storeFolder(address), '/repo')).toBe(join('/repo', '.reviewloop'));
    expect(localFolder('/repo/reviews', '/repo')).toBe('/repo/reviews');
  });
});
