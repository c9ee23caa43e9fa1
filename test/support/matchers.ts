import { expect } from 'vitest';

const said = (text: string | RegExp): unknown =>
  typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);

/** How a command ends, and what it says on the standard error. */
export const failing = (code: number, err: string | RegExp) => ({ code, err: said(err) });

/** How a command ends, and what it prints. */
export const ending = (code: number, out: string | RegExp) => ({ code, out: said(out) });

/** An error with a code and with words in its message. */
export const errorWith = (code: string, message: string | RegExp) => ({
  code,
  message: said(message),
});

/** An error with a code, as `toThrow` takes it. */
export const withCode = (code: string): unknown => expect.objectContaining({ code });

/** The assessment of a judge that failed. */
export const erroredBy = (code: string) => ({ verdict: 'errored', error: { code } });

/** The words of a command line without quotes. */
export const words = (line: string): string[] => line.split(' ');

/** Expects that work fails with a code. */
export const expectCode = (work: unknown, code: string) =>
  expect(work).rejects.toMatchObject({ code });
