import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { redactJson } from '@/core/redact/redact-json.js';
import { redactJsonAsync, redactSecretsAsync } from '@/core/redact/redact-with-secretlint.js';
import { redactSecrets } from '@/core/redact/secrets.js';

// put together here, so that no tool takes this file for a leak
const mixed = 'aB3dE5gH7jK9mN1pQ2sT4vW6xY8z';
const secrets = {
  github: `ghp_${'a1B2c3'.repeat(6)}`,
  aws: `AKIA${'ABCDEFGH'.repeat(2)}`,
  slack: `xoxb-123456789012-${mixed}`,
  npm: `npm_${'a1B2c3'.repeat(6)}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.${mixed}.${mixed}`,
  anthropic: `sk-ant-api03-${mixed}`,
  sendgrid: `SG.${'a1B2c3D4e5F6g7H8i9J0kL'}.${'a1B2c3D4e5F6g7H8i9J0kLmN1oP2qR3sT4uV5wX6yZ7'}`,
  notSg: `SG.${'a1B2c3D4e5'.repeat(2)}.${'f6G7h8I9j0'.repeat(4)}-kLmN`,
  linear: `lin_api_${'0a1B2c3D'.repeat(5)}`,
  key: ['-----BEGIN', 'RSA PRIVATE KEY-----\n'].join(' ') + mixed,
  assigned: 'hunter2hunter2',
} as const;

describe('redactSecretsAsync', () => {
  it.each(Object.entries(secrets))('takes out %s, once and for all', async (name, secret) => {
    const once = await redactSecretsAsync(
      `${name === 'assigned' ? 'password = ' : 'see '}"${secret}" there`,
    );
    expect(once).not.toContain(secret);
    expect(once).toContain('[REDACTED:');
    expect(await redactSecretsAsync(once)).toBe(once);
  });

  it('knows what only the code of secretlint decides, and cannot be switched off by a comment', async () => {
    const text = `// secretlint-disable\n${secrets.notSg} end`;
    expect(redactSecrets(text)).toBe(text);
    expect(await redactSecretsAsync(text)).toBe('// secretlint-disable\n[REDACTED:sendgrid] end');
  });

  it('leaves what is no secret', async () => {
    for (const text of [
      'commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad',
      'é 😀 plain',
      '',
      '[REDACTED:github]',
    ])
      expect(await redactSecretsAsync(text)).toBe(text);
  });

  it('is idempotent, and keeps no secret, whatever stands around it', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...Object.values(secrets),
        'password=',
        '"',
        '\n',
        ' ',
        'postgres://u:p1234567@db/x',
        '[REDACTED:x]',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const once = await redactSecretsAsync(pieces.join(''));
        expect(await redactSecretsAsync(once)).toBe(once);
      }),
      { numRuns: 200 },
    );
  });

  it('works by the own rules where secretlint is not installed', async () => {
    vi.resetModules();
    vi.doMock('@secretlint/secretlint-rule-preset-recommend', () => {
      throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
    });
    const { redactSecretsAsync: alone } = await import('@/core/redact/redact-with-secretlint.js');
    expect(await alone(`x ${secrets.github} ${secrets.notSg}`)).toBe(
      `x [REDACTED:github] ${secrets.notSg}`,
    );
    vi.doUnmock('@secretlint/secretlint-rule-preset-recommend');
  });

  it('keeps nothing of what it was given: neither memory nor time grow with the calls before', async () => {
    const marks = performance.getEntries().length;
    for (let call = 0; call < 20; call += 1) await redactSecretsAsync(`text ${call}`);
    expect(performance.getEntries()).toHaveLength(marks);
  });

  it('does not go on with less where secretlint is installed and broken', async () => {
    vi.resetModules();
    vi.doMock('@secretlint/secretlint-rule-preset-recommend', () => {
      throw new Error('half of it is there');
    });
    const { redactSecretsAsync: broken } = await import('@/core/redact/redact-with-secretlint.js');
    await expect(broken(`x ${secrets.github}`)).rejects.toMatchObject({ code: 'peer_missing' });
    vi.doUnmock('@secretlint/secretlint-rule-preset-recommend');
  });
});

it('redactJsonAsync goes through every text with the rules of secretlint too', async () => {
  expect(
    await redactJsonAsync({ a: [secrets.linear, 1, null, true], b: { c: `x ${secrets.aws}` } }),
  ).toEqual({ a: ['[REDACTED:linear]', 1, null, true], b: { c: 'x [REDACTED:aws]' } });
});

it('redactJson goes through every text', () => {
  expect(redactJson({ a: [secrets.github, 1, null, true], b: { c: `x ${secrets.aws}` } })).toEqual({
    a: ['[REDACTED:github]', 1, null, true],
    b: { c: 'x [REDACTED:aws]' },
  });
});
