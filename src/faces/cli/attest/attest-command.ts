import { defineCommand } from '../../cli-kit/flags/command.js';
import { attestFlags, verifyFlags } from './attest-flags.js';

const attestHelp = `
Only a run that was approved or accepted can be attested. A signed one is a bundle of Sigstore with
an in-toto statement; one without a key is the statement, for the signing of your platform.

Examples:
  openssl genpkey -algorithm ed25519 -out review.key
  openssl pkey -in review.key -pubout -out review.pub
  reviewloop attest 0192f3c8 --key review.key --commit HEAD --out review.json`;

const verifyHelp = `
Works offline. What it shows, and what not, is printed with it.

Exit codes: 0 verified, 1 refused, 2 usage error.

Examples:
  reviewloop verify review.json --key review.pub --commit HEAD`;

export const attestCommand = defineCommand({
  name: 'attest',
  summary: 'state that a run was approved, signed, for others to check',
  description: 'Writes the approval of a stored run as a statement that others can check.',
  flags: attestFlags,
  help: attestHelp,
  person: ({ key }) => (key === undefined ? undefined : 'you sign what was approved'),
  run: async (...given) => (await import('./attest-run.js')).attestRun(...given),
});

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'check what `attest` wrote, against a commit or files',
  description: 'Checks that an attestation is signed, and is about a commit or these files.',
  flags: verifyFlags,
  help: verifyHelp,
  run: async (...given) => (await import('./attest-run.js')).verifyFile(...given),
});
