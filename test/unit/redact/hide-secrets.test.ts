import { describe, expect, it } from 'vitest';
import { hideSecrets } from '@/redact/hide-secrets.js';
import { redactSecrets } from '@/redact/secrets.js';

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

  it('shows what is made up, unless it has a known format', () => {
    const made = 'login("a", password = "correct-h0rse-battery"); // EVIL';
    expect(shownOf('test/a.test.js', made)).toBe(made);
    expect(shownOf('a.js', made)).not.toBe(made);
    expect(shownOf('a.js', `${made} example`)).toBe(`${made} example`);
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
    expect(shownOf('test/a.test.js', `const x = "${token}"; // example`)).not.toContain(token);
  });
});
