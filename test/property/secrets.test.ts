import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAroundSecrets, findSecrets, redactSecrets } from '@/core/redact/secrets.js';
import { safetyFindings } from '@/products/reviewer-stage/dimensions/safety-findings.js';
import { describeCorpora } from '../support/corpora.js';

const letters = (characters: string, length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...characters), { minLength: length, maxLength: length })
    .map((parts) => parts.join(''))
    .filter((text) => length < 16 || !/\d/.test(characters) || /\d/.test(text));
const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const hex = `${digits}abcdef`;
const word = `${lower}${lower.toUpperCase()}${digits}`;
const joined = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));

/** Secrets of every claimed kind, made anew, so that no tool takes this file for a leak. */
const kinds: Readonly<Record<string, fc.Arbitrary<string>>> = {
  aws: joined('AKIA', letters(`${lower.toUpperCase()}234567`, 16)),
  github: joined('ghp_', letters(word, 36)),
  gitlab: joined('glpat-', letters(word, 20)),
  anthropic: joined('sk-ant-api03-', letters(word, 40)),
  openai: joined('sk-proj-', letters(word, 40)),
  groq: joined('gsk_', letters(word, 52)),
  huggingFace: joined('hf_', letters(`${lower}${lower.toUpperCase()}`, 34)),
  stripe: joined('sk_live_', letters(word, 24)),
  sendgrid: joined('SG.', letters(word, 22), '.', letters(word, 43)),
  shopify: joined('shpat_', letters(hex, 32)),
  twilio: joined('SK', letters(hex, 32)),
  digitalOcean: joined('dop_v1_', letters(hex, 64)),
  vault: joined('hvs.', letters(word, 24)),
  pypi: joined('pypi-AgEIcHlwaS5vcmc', letters(word, 60)),
  slack: joined('xoxb-', letters(digits, 12), '-', letters(word, 24)),
  npm: joined('npm_', letters(word, 36)),
  google: joined('AIza', letters(word, 35)),
  jwt: joined('eyJ', letters(word, 20), '.', letters(word, 40), '.', letters(word, 43)),
};
const kind = fc.constantFrom(...Object.keys(kinds)).chain((name) => kinds[name] ?? fc.constant(''));

const around: readonly ((secret: string) => string)[] = [
  (secret) => `my key is ${secret}`,
  (secret) => `Use ${secret}, and tell nobody.`,
  (secret) => `(${secret})`,
  (secret) => `Key: ${secret}\nNext line`,
  (secret) => `const key = "${secret}";`,
  (secret) => `API_KEY=${secret}`,
  (secret) => `{"token": "${secret}"}`,
  (secret) => `password: '${secret}'`,
  (secret) => `curl -H "Authorization: Bearer ${secret}" https://example.org`,
  (secret) => `+  apiKey: \`${secret}\`,`,
];

/** Whether a text contains more of a secret than its public beginning. */
const shows = (text: string, secret: string): boolean => text.includes(secret.slice(0, 12));

describe('secrets', () => {
  it('of all claimed kinds are found in prose and in assignments [R2-076]', () => {
    let missed = 0;
    let all = 0;
    fc.assert(
      fc.property(kind, fc.constantFrom(...around), (secret, write) => {
        all += 1;
        if (shows(redactSecrets(write(secret)), secret)) missed += 1;
      }),
      { numRuns: 2000 },
    );
    expect(missed / all).toBeLessThanOrEqual(0.03);
  });

  it('are found of each kind and in each place [R2-076]', () => {
    for (const [name, arbitrary] of Object.entries(kinds))
      for (const secret of fc.sample(arbitrary, 5))
        for (const write of around)
          expect(shows(redactSecrets(write(secret)), secret), `${name}: ${write('...')}`).toBe(
            false,
          );
  });

  it('of AWS are found behind the words that name them [R2-076]', () => {
    const secret = `wJalrXUtnFEMI/K7MDENG/bPxRfiCY${'z9Qk3LmN0p'}`;
    for (const text of [
      `our AWS secret key is ${secret}`,
      `the secret: ${secret}`,
      `aws_secret_access_key = ${secret}`,
      `AWS_SECRET_ACCESS_KEY=${secret}`,
    ])
      expect(redactSecrets(text)).not.toContain(secret.slice(0, 12));
  });

  it('are not shown in part by a cut at any place [R2-075]', () => {
    fc.assert(
      fc.property(
        kind,
        fc.constantFrom(...around),
        fc.string({ maxLength: 40 }),
        fc.nat(200),
        (secret, write, before, most) => {
          const text = `${before} ${write(secret)}`;
          const cut = redactSecrets(cutAroundSecrets(text, most));
          const own = text.indexOf(secret);
          for (let end = 9; end <= secret.length; end += 1)
            if (!redactSecrets(text.slice(0, own)).includes(secret.slice(0, end)))
              expect(cut).not.toContain(secret.slice(0, end));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

/** What ordinary tests, fixtures, types, messages and settings say. */
const ordinary = [
  "login({ user: 'x', password: 'correct-horse' })",
  "parse({ token: 'test-token' })",
  'password: "Password is required"',
  '{ "password": "Must have at least 8 characters." }',
  "apiKey: 'YOUR_API_KEY'",
  "apiKey: '<your api key>'",
  'PASSWORD_RESET_TOKEN_TTL=3600',
  "SECRET_KEY_NAME = 'my-secret-name'",
  "const tokenHeader = 'x-csrf-token-2';",
  'password: string;',
  'token?: string | undefined',
  'const token = await getToken2(user1);',
  'connect(user=user, password=password)',
  'token: oauth2Token,',
  'secret: process.env.SECRET,',
  "token: 'abc123'",
  "const secret = 'secret123';",
  '<input type="password" name="password1" autocomplete="current-password">',
  'MAX_TOKENS=4096',
  "expect(form.password).toBe('Password too short');",
  'def check_password(password: str) -> bool:',
  'token = tokens[index2]',
  'The token is 123456789abc.',
  'aws_access_key_id = AKIAIOSFODNN7EXAMPLE',
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  'anthropic keys begin with sk-ant-, those of groq with gsk_',
];

describe('what is no secret', () => {
  it.each(ordinary)('is not removed: %s [R2-077, R3-043]', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it.each([...ordinary, "login({ password: 'hunter2x9' })"])(
    'is no reason to reject a test: %s [R2-073]',
    (content) => {
      const files = [{ path: 'test/login.test.ts', status: 'new' as const, content }];
      const found = safetyFindings({
        sessionId: 's',
        request: 'r',
        plan: [],
        executionResults: [],
        verificationResults: [],
        changedFiles: files,
      } as never);
      expect(found.filter(({ message }) => message.includes('secret'))).toEqual([]);
    },
  );

  it('a token of a known service is one in a test too', () => {
    const content = `const key = '${fc.sample(kinds['github'] ?? fc.constant(''), 1)[0]}';`;
    const found = safetyFindings({
      changedFiles: [{ path: 'test/login.test.ts', status: 'new', content }],
    } as never);
    expect(found).toMatchObject([{ severity: 'critical' }]);
  });
});

describeCorpora('ordinary files', (folder) => {
  it('contain no secrets, at most 2 % of them excepted [R2-077]', () => {
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(folder, 'secrets')));
    const texts = paths
      .map((path) => readFileSync(path, 'utf8'))
      .filter((text) => !text.includes('\0') && !text.includes('\ufffd'));
    const flagged = texts.filter((text) => findSecrets(text).length > 0).length;
    console.log(`files with what looks like a secret: ${flagged} of ${texts.length}`);
    expect(texts.length).toBeGreaterThan(300);
    expect(flagged / texts.length).toBeLessThanOrEqual(0.02);
  });
});
