import { describe, expect, it } from 'vitest';
import { errorText } from '../../../src/cli-kit/show/error-text.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { errorCodes } from '../../../src/errors.js';
import { claudeCommand, cliProvider } from '../../../src/providers/cli/index.js';

/** Names of options of the library, of which the command line has none. */
const optionOfLibrary =
  /`(?!reviewloop|git |diff |checklist |provider` in|criteria` in)[a-z]+([A-Z]\w*|\.\w+|\[\])|`(value|scope|signal|ignore|output|by|quorum|cli)`/;

/** Codes of the library's own format, which the command line reads as data of the user. */
const ofData = [
  'gate_output_invalid',
  'gate_result_invalid',
  'labels_invalid',
  'criterion_contradiction',
];

describe('the advice of an error on the command line [R2-110]', () => {
  const codes = Object.values(errorCodes).filter(
    ({ code, kind }) => kind !== 'bug' && !ofData.includes(code),
  );

  it.each(codes.map((entry) => [entry.code, entry] as const))(
    '%s names no option of the library',
    (_, entry) => {
      expect(errorText(new ReviewLoopError(entry, 'it happened'))).not.toMatch(optionOfLibrary);
    },
  );

  it('says what happened first, also for other errors', () => {
    expect(errorText(new ReviewLoopError('provider_missing', 'x asks a model.'))).toBe(
      'x asks a model. Pass --provider, or set it in the configuration.',
    );
    expect(errorText(new Error('broken'))).toBe('broken');
    expect(errorText('text')).toBe('text');
  });
});

describe('what a program that asks a model says [R2-110]', () => {
  const failing = (script: string) =>
    cliProvider({
      command: {
        ...claudeCommand(),
        executable: process.execPath,
        plan: () => ({ args: ['-e', script], input: '' }),
      },
    }).generate({
      messages: [{ role: 'user', content: 'x' }],
      signal: new AbortController().signal,
    });

  it('a signal is named, and there is no text after an empty output', async () => {
    await expect(failing('process.kill(process.pid, "SIGKILL")')).rejects.toMatchObject({
      what: 'cli:claude was ended by SIGKILL and printed nothing',
    });
    await expect(failing('process.exit(3)')).rejects.toMatchObject({
      what: 'cli:claude failed with exit code 3 and printed nothing',
    });
  });

  it('an account without credit is no matter of the address', async () => {
    const result = { type: 'result', is_error: true, result: 'Credit balance is too low' };
    const said = `console.log(${JSON.stringify(JSON.stringify(result))})`;
    await expect(failing(said)).rejects.toMatchObject({
      code: 'provider_refused_request',
      message: expect.not.stringContaining('Check the address'),
    });
  });
});
