import { errorTable } from '../../core/error-table.js';

/** The errors of stored runs. */
export const reportErrors = /* @__PURE__ */ errorTable({
  run_interrupted: {
    kind: 'environment',
    fix: 'Judges whose verdicts are stored are not asked again.',
  },
  not_attestable: {
    kind: 'usage',
    fix: 'Only a stored run that was approved or accepted can be attested; see docs/blocks/attestation.md.',
  },
  key_invalid: {
    kind: 'usage',
    fix: 'Pass an Ed25519 or P-256 key as PEM, without a passphrase. `reviewloop attest --help` says how to make one.',
  },
  attestation_invalid: {
    kind: 'input',
    fix: 'Pass a file that `reviewloop attest --key` wrote.',
  },
  signature_invalid: {
    kind: 'judge',
    fix: 'Do not trust it. Pass the public key of the signer, and get the file from its source again.',
  },
  attestation_mismatch: {
    kind: 'judge',
    fix: 'Nothing shows that this was approved. Review it, and attest that run.',
  },
});
