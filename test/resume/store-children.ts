import { expect } from 'vitest';
import { bundled, type Child, start } from './children.js';

/** Starts a process that writes what it is told to the store at a place. */
export async function ready(place: string, options: object = {}, shell?: string): Promise<Child> {
  const child = start(await bundled('store-child'), [place, JSON.stringify(options)], shell);
  expect(await child.line()).toBe('ready');
  return child;
}

export const open = { do: 'open', runId: 'a' };
export const append = (...records: object[]) => ({ do: 'append', records });
