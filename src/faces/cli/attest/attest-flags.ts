import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';

export const attestFlags = [
  operand({ name: 'id', arg: '<id>', required: true, help: 'the run: its id or a prefix of it' }),
  flag({
    name: 'key',
    arg: '<file>',
    help: 'sign with this Ed25519 or P-256 private key (default: not signed)',
  }),
  flag({
    name: 'commit',
    arg: '<sha>',
    help: 'the commit with exactly these files; all that it changes must be reviewed',
  }),
  flag({ name: 'out', arg: '<file>', help: 'the file to write (default: the output)' }),
  storeFlag,
] as const;

export const verifyFlags = [
  operand({ name: 'file', arg: '<file>', required: true, help: 'what `attest --key` wrote' }),
  flag({ name: 'key', arg: '<file>', required: true, help: 'the public key of the signer' }),
  flag({
    name: 'commit',
    arg: '<sha>',
    help: 'the commit that it must be about (default: the files in this folder)',
  }),
  flag({ name: 'policy', arg: '<digest>', help: 'the policy that it must be about' }),
  ...outputFlags,
] as const;
