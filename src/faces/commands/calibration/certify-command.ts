import { defineCommand } from '../../cli-kit/flags/command.js';
import { certifyFlags } from './calibration-flags.js';

const help = `
A file of labels contains a JSON object per approval: {"task": "...", "output": "...",
"label": "pass"}, with "fail" for a wrong approval and an optional "id". Label a random sample of the
approvals of one arrangement, and decide its size before; or pass --sequential from the start.

Exit codes: 0 certified or still valid, 50 not certified or withdrawn, 2 usage error.

Examples:
  reviewloop certify --labels labels.jsonl --arrangement 3f2a... --alpha 0.1 --delta 0.1
  reviewloop certify --labels labels.jsonl --arrangement arrangement.json --sequential
  reviewloop certify --labels audited.jsonl --audit .reviewloop/certificates/3f2a....json`;

export const certifyCommand = defineCommand({
  name: 'certify',
  summary: 'certify how many approvals are wrong, from labels of people',
  description:
    'Certifies from labels of people that at most a share of the approvals is wrong, ' +
    'or says how many more labels could decide it.',
  flags: certifyFlags,
  help,
  run: async (...given) => (await import('./run-certify.js')).runCertify(...given),
});
