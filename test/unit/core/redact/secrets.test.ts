import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { secretFingerprint } from '@/core/redact/allowed-secrets.js';
import { hideFound, hideSecrets } from '@/core/redact/hide-secrets.js';
import { redactJson } from '@/core/redact/redact-json.js';
import { redactSecrets } from '@/core/redact/secrets.js';

// put together here, so that no tool takes this file for a leak
const mixed = 'aB3dE5gH7jK9mN1pQ2sT4vW6xY8z';
const secrets: readonly (readonly [rule: string, secret: string])[] = [
  ['aws', `AKIA${'ABCDEFGH'.repeat(2)}`],
  ['github', `ghp_${'a1B2c3'.repeat(6)}`],
  ['github', `github_pat_${'a1B2c3d4'.repeat(10)}xY`],
  ['token', `github_pat_${'a1B2c3'.repeat(10)}`],
  ['sk-key', `sk-ant-api03-${mixed}`],
  ['token', `sk-ant-api03-${'A'.repeat(24)}`],
  ['anthropic', `sk-ant-api03-${'aB3_'.repeat(23)}cAA`],
  ['sk-key', `sk-proj-${mixed}`],
  ['sk-key', `sk-${mixed}`],
  ['stripe', `sk_live_${mixed}`],
  ['slack', `xoxb-123456789012-${mixed}`],
  ['npm', `npm_${'a1B2c3'.repeat(6)}`],
  ['google', `AIza${'a1B2c3D'.repeat(5)}`],
  ['jwt', `eyJhbGciOiJIUzI1NiJ9.${mixed}.${mixed}`],
  [
    'private-key',
    `-----BEGIN RSA PRIVATE KEY-----\n${mixed}\n${mixed}\n-----END RSA PRIVATE KEY-----`,
  ],
  ['private-key', `-----BEGIN OPENSSH PRIVATE KEY-----\n${mixed}\n${mixed.slice(0, 9)}`],
  [
    'private-key',
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${mixed}\n=Ab1C\n-----END PGP PRIVATE KEY BLOCK-----`,
  ],
  [
    'private-key',
    `-----BEGIN PRIVATE KEY-----\\n" +\n+  "${mixed}\\n" +\n+  "${mixed.slice(0, 4)}\\n-----END PRIVATE KEY-----`,
  ],
];

describe('redactSecrets', () => {
  it.each(secrets)('takes out a %s', (rule, secret) => {
    const redacted = redactSecrets(`before ${secret}`);
    expect(redacted).toBe(`before [REDACTED:${rule}]`);
  });

  it('takes out a token that stands right after a letter, whose mark is in no word', () => {
    expect(redactSecrets(`# Aghp_${'a1B2c3'.repeat(6)} and xnpm_${'a1B2c3'.repeat(6)}`)).toBe(
      '# A[REDACTED:github] and x[REDACTED:npm]',
    );
  });

  it.each([
    ['password = "hunter2"', 'password = "[REDACTED:assignment]"'],
    [
      "const dbPassword: string; dbPassword = 'hunter2'",
      "const dbPassword: string; dbPassword = '[REDACTED:assignment]'",
    ],
    ['{"client_secret": "q7w"}', '{"client_secret": "[REDACTED:assignment]"}'],
    ['{\\"password\\": \\"hunter2\\"}', '{\\"password\\": \\"[REDACTED:assignment]\\"}'],
    ['API_KEY=abcdef', 'API_KEY=[REDACTED:assignment]'],
    ['aws_secret_access_key: abc123/def', 'aws_secret_access_key: [REDACTED:assignment]'],
    ['token => `a b7 c`', 'token => `[REDACTED:assignment]`'],
    ['password="n3ver closed', 'password="[REDACTED:assignment]'],
    ['postgres://admin:hunter2@db/x', 'postgres://[REDACTED:url-credentials]@db/x'],
    [`Authorization: Bearer ${mixed}`, 'Authorization: Bearer [REDACTED:bearer]'],
    [`the value '${mixed}' of it`, "the value '[REDACTED:high-entropy]' of it"],
    [`SESSION=${mixed}`, 'SESSION=[REDACTED:high-entropy]'],
    [`cookie: ${mixed}==`, 'cookie: [REDACTED:high-entropy]'],
  ])('%s becomes %s', (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted);
  });

  it.each([
    'The password: must have eight characters',
    'Add a password field with type="password" and autocomplete="current-password"',
    'max_tokens=1000',
    'password: ""',
    'see https://example.org:8080/a@b',
    'class="some-very-long-component-name-with-parts"',
    '{"how-to_a-secret-stays.md":"B3EywXpm1"}',
    'JSON.parse("{\\"a-token.html\\":\\"B3EywXpm1\\"}")',
    'id "0b9c6a52-1111-4222-8333-944455556666"',
    'sk-circle-fade-dot-container-of-the-spinner',
    'basic internationalisation',
    'a secretary',
    'commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad',
    '"gitHead": "3b18e512dba79e4c8300dd08aeb37f8e728b8dad"',
    `"digest": "${'0a1b2c3d'.repeat(8)}"`,
    'revision=3b18e512dba79e4c8300dd08aeb37f8e728b8dad',
    'id: 0b9c6a52-1111-4222-8333-944455556666',
    '"integrity": "sha512-aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH7jK9mN1pQ2sT4vW6xY8z12=="',
    'resolution: {integrity: sha512-aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH7jK9mN1pQ2sT4vW6xY8z12==}',
    'src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=="',
    'component: TheVeryLongNameOfSomeComponentV2',
    'path=src/Components/Layout2/TheHeaderOfThePage',
    'url: https://example.org/Some/Long/Path2/WithManyWords',
  ])('leaves alone: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it('is idempotent for any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'password',
        'token',
        '=',
        ':',
        '"',
        "'",
        '`',
        '\\',
        ' ',
        '\n',
        '@',
        '://',
        '[REDACTED:x]',
        'eyJ',
        '.',
        'sk-',
        '-----BEGIN PRIVATE KEY-----',
        'bearer ',
        mixed,
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
        (text) => {
          const once = redactSecrets(text);
          expect(redactSecrets(once)).toBe(once);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

const begin = '-----BEGIN PRIVATE KEY-----';
const end = '-----END PRIVATE KEY-----';
const base64 = 'a1B2c3D4e5F6'.repeat(5);
const shownOf = (path: string, text: string): string =>
  hideSecrets(path, text.split('\n')).lines.join('\n');

it.each([
  `// ${begin}\nEVIL();`,
  `/* ${begin} */\nEVIL();\n/* ${end} */`,
  `/* ${begin}\n${base64}\n*/ EVIL();\n/* ${end} */`,
  `+// ${begin}\n+EVIL();\n+// ${end}\n`,
  `${begin}\n${base64}\n${end}\nEVIL();`,
  'const password = `);\nEVIL(a1b2c3d4e5);\nfoo(`;',
  '# token: `\nEVIL a1b2c3d4e5\n# `',
])('text around a secret is not taken for a part of it: %j', (text) => {
  expect(redactSecrets(text)).toContain('EVIL');
  expect(shownOf('a.js', text)).toContain('EVIL');
});

it('the fingerprint of a line is of its text: not of its indentation, its ends or its place', () => {
  const print = secretFingerprint('a = "b"\nc');
  expect(print).toMatch(/^[0-9a-f]{16}$/);
  for (const same of ['  a = "b"\r\n\tc\r\n', '\n a = "b" \rc ', 'a = "b"\n c\n'])
    expect(secretFingerprint(same)).toBe(print);
  for (const other of ['a = "b" c', 'a = "b"c', 'a = "b"', 'a  = "b"\nc'])
    expect(secretFingerprint(other)).not.toBe(print);
});

describe('hideSecrets', () => {
  it('hides secrets line by line, and names the lines', () => {
    const lines = [
      'a',
      `+const password = "hunter2hunter2";`,
      `+${begin}`,
      `+${base64}`,
      `+${end}`,
    ];
    expect(hideSecrets('a.js', lines)).toEqual({
      lines: [
        'a',
        '+const password = "[REDACTED:assignment]";',
        '+[REDACTED:private-key]',
        '[REDACTED:private-key]',
        '[REDACTED:private-key]',
      ],
      hidden: [1, 2, 3, 4],
    });
    expect(hideSecrets('a.js', ['a', 'b'])).toEqual({ lines: ['a', 'b'], hidden: [] });
  });

  it('shows the lines beside a secret, whatever its place in its line', () => {
    const secret = 'k = "AKIAQYLPMN5HFIQR7XYA"';
    const around = ['', 'a', secret, 'b', '', `${secret} ${secret}`, 'c', secret];
    const { lines, hidden } = hideSecrets('a.js', around);
    expect(hidden).toEqual([2, 5, 7]);
    expect(lines.filter((_, place) => !hidden.includes(place))).toEqual(['', 'a', 'b', '', 'c']);
    expect(lines.join('')).not.toContain('AKIAQ');
  });

  it('hides every secret of a line that has more than a hundred', () => {
    const line = 'k = "AKIAQYLPMN5HFIQR7XYA"; '.repeat(120);
    const { lines, hidden } = hideSecrets('a.js', [line, 'b']);
    expect([lines.join('').includes('AKIAQ'), hidden, lines[1]]).toEqual([false, [0], 'b']);
  });

  it('shows what is made up, unless it has a known format', () => {
    const made = 'login("a", password = "correct-h0rse-battery"); // EVIL';
    expect(shownOf('test/a.test.js', made)).toBe(made);
    expect(shownOf('a.js', made)).not.toBe(made);
    expect(shownOf('a.js', `${made} example`)).toBe(`${made} example`);
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
    expect(shownOf('test/a.test.js', `const x = "${token}"; // example`)).not.toContain(token);
  });
});

it('a text that stands often in data is searched once', () => {
  const search = vi.spyOn(String.prototype, 'search');
  const text = `password = "${mixed}"`;
  const calls = (data: object): number => {
    search.mockClear();
    expect(JSON.stringify(redactJson(data))).not.toContain(mixed);
    return search.mock.calls.length;
  };
  const once = calls([text]);
  expect(once).toBeGreaterThan(0);
  expect(calls([text, { note: text }, [text]])).toBe(once);
});

const met = (lines: readonly string[], places: readonly string[]) => {
  const found = places.map((place) => {
    const [start = 0, end = 0] = place.split('-').map(Number);
    return { rule: place, start, end };
  });
  const mayShow = vi.fn<Parameters<typeof hideFound>[2]>(() => true);
  hideFound(lines, found, mayShow);
  return mayShow.mock.calls.map(([, own]) => own.map(({ rule }) => rule).join());
};

it('each line meets the secrets that reach into it, and no others', () => {
  const lines = Array.from({ length: 150 }, () => 'x'.repeat(9));
  expect(met(lines, ['0-20', '2-5', '8-10', '30-33'])).toEqual(['0-20,2-5,8-10', '0-20', '30-33']);
  const each = lines.map((_, at) => `${10 * at}-${10 * at + 5}`);
  expect(met(lines, each)).toEqual(each);
});
