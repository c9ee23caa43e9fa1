import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';

// Counts, never milliseconds: what importing the package does before anything of it is used. bench/README.md has what it takes.
const hooks = globalThis as {
  __zod_globalConfig?: { postProcessor?: ((schema: object) => void) | undefined };
};
const built: object[] = [];

describe('importing the package', () => {
  beforeAll(() => {
    hooks.__zod_globalConfig ??= {};
    hooks.__zod_globalConfig.postProcessor = (schema) => void built.push(schema);
  });
  afterAll(() => {
    if (hooks.__zod_globalConfig !== undefined) hooks.__zod_globalConfig.postProcessor = undefined;
  });

  it('builds no schema: they are built when they are first used', async () => {
    z.string();
    expect(built.length).toBe(1);
    const { GapSchema } = await import('@/schemas.js');
    expect(built.length).toBe(1);
    expect(GapSchema.safeParse({}).success).toBe(false);
    expect(built.length).toBeGreaterThan(10);
  });
});
