/** The format of the secrets of one service. */
export interface SecretFormat {
  readonly name: string;
  /** In linear time: it starts only at the beginning of a run, or its repetitions are bounded. */
  readonly pattern: RegExp;
}

// a key ends where its lines do: other text after its first line does not belong to it
const between = '(?:\\s|\\\\[nr]|[\\\\"\'`+,;#*/.>|-]){0,40}';
const headers = '(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\\n\\\\]{1,100}';
const keyLine = `${between}(?:[A-Za-z0-9][A-Za-z0-9+/=]{15,}|${headers})`;
const lastLine = `${between}[A-Za-z0-9+/=]{1,100}`;
const kind = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
const privateKey = new RegExp(
  `-----BEGIN ${kind}(?:${keyLine})*(?:(?:${lastLine})?${between}-----END ${kind}|${lastLine}$)?`,
  'g',
);

/** Formats that are secrets wherever they stand, also in prose. */
export const secretFormats: readonly SecretFormat[] = [
  { name: 'private-key', pattern: privateKey },
  {
    name: 'aws-key',
    pattern:
      /(?<![A-Za-z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|AIPA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  },
  // no word contains these two, so they need no boundary: a token may follow a letter
  { name: 'github-token', pattern: /(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g },
  {
    name: 'gitlab-token',
    pattern: /(?<![A-Za-z0-9_-])gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat)-[A-Za-z0-9_.-]{20,}/g,
  },
  { name: 'anthropic-key', pattern: /(?<![A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{16,}/g },
  { name: 'openai-key', pattern: /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}/g },
  { name: 'groq-key', pattern: /(?<![A-Za-z0-9_])gsk_[A-Za-z0-9]{32,}/g },
  { name: 'huggingface-token', pattern: /(?<![A-Za-z0-9_])(?:hf|api_org)_[A-Za-z0-9]{30,}/g },
  { name: 'stripe-key', pattern: /(?<![A-Za-z0-9_])[prs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { name: 'sendgrid-key', pattern: /(?<![\w.-])SG\.[\w-]{16,64}\.[\w-]{16,128}/g },
  { name: 'shopify-token', pattern: /(?<![A-Za-z0-9_])shp(?:at|ca|pa|ss|tka)_[A-Fa-f0-9]{32,}/g },
  { name: 'twilio-key', pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g },
  { name: 'digitalocean-token', pattern: /(?<![A-Za-z0-9_])do[opr]_v1_[a-f0-9]{64}/g },
  { name: 'vault-token', pattern: /(?<![\w.-])hv[sbr]\.[\w-]{24,}/g },
  { name: 'pypi-token', pattern: /(?<![\w-])pypi-[\w-]{50,}/g },
  {
    name: 'slack-token',
    pattern:
      /(?<![A-Za-z0-9_-])(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}|(?<=hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}/g,
  },
  { name: 'npm-token', pattern: /npm_[A-Za-z0-9]{30,}/g },
  { name: 'google-key', pattern: /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35,}/g },
  {
    name: 'jwt',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g,
  },
  { name: 'url-credentials', pattern: /(?<=:\/\/)[^\s/:@"']{0,200}:[^\s/@"']{1,500}(?=@)/g },
];
