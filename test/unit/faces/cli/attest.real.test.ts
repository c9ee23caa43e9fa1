import { execFileSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failing } from '../../../support/matchers.js';
import { folderOf, goodPage, runCli, writeFiles } from './harness.js';

const task = 'The page must have a heading.';
const person = ['--by', 'Ann', '-q'];

function pem(type: 'ed25519' | 'p256' | 'rsa') {
  const pair =
    type === 'ed25519'
      ? generateKeyPairSync('ed25519')
      : type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** What is used of Sigstore's library. */
interface Sigstore {
  readonly bundleFromJSON: (json: unknown) => object;
  readonly toSignedEntity: (bundle: object) => object;
  readonly Verifier: new (
    trust: object,
    options: object,
  ) => { readonly verify: (entity: object) => { readonly key: unknown } };
}

function git(cwd: string, ...args: string[]): string {
  const as = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', [...as, ...args], { cwd, encoding: 'utf8' }).trim();
}

/** A repository with a page that was reviewed and, if wanted, decided by a person. */
async function reviewed({ decide = true, approve = false, asked = task, text = goodPage } = {}) {
  const keys = pem('ed25519');
  const cwd = await folderOf({
    'page.html': text,
    'review.key': keys.privateKey,
    'review.pub': keys.publicKey,
    ...(approve && { 'reviewloop.config.mjs': "export default { human: { policy: 'require' } };" }),
    '.gitignore': '.reviewloop\n*.key\n*.pub\n*.json\n',
  });
  git(cwd, 'init', '-q');
  git(cwd, 'add', '.gitignore');
  git(cwd, 'commit', '-qm', 'begin');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '-qm', 'page');
  const args = ['review', 'page.html', '--task-text', asked, '-q', '--json'];
  const { runId, undecided } = JSON.parse((await runCli(cwd, args)).out);
  const answers = undecided.map(({ id }: { id: string }) => `${id}=yes`);
  if (decide && answers.length > 0)
    await runCli(cwd, [
      ...['answer', runId, 'decide', ...answers, ...person],
      ...(approve ? ['--approve'] : []),
    ]);
  const attest = (...more: string[]) => runCli(cwd, ['attest', runId, ...more]);
  const verify = (...more: string[]) =>
    runCli(cwd, ['verify', 'a.json', '--key', 'review.pub', ...more]);
  return { cwd, runId, attest, verify };
}

describe('reviewloop attest and verify', () => {
  it('signs what was approved, for its commit and its files, and says what it does not show', async () => {
    const { cwd, attest, verify } = await reviewed();
    const made = await attest('--key', 'review.key', '--commit', 'HEAD', '--out', 'a.json');
    expect(made).toEqual({ code: 0, out: '', err: '' });
    const { code, out, err } = await verify('--commit', 'HEAD');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('VERIFIED: approved');
    expect(out).toContain(`gitCommit:${git(cwd, 'rev-parse', 'HEAD')}`);
    expect(out).toContain('not that the judges were right');
    expect((await verify()).code).toBe(0);
    const bundle = JSON.parse(readFileSync(join(cwd, 'a.json'), 'utf8'));
    expect(bundle.mediaType).toBe('application/vnd.dev.sigstore.bundle.v0.3+json');
  });

  it('refuses another commit, except one with the same tree', async () => {
    const { cwd, attest, verify } = await reviewed();
    await attest('--key', 'review.key', '--commit', 'HEAD', '--out', 'a.json');
    git(cwd, 'commit', '-q', '--amend', '-m', 'squashed');
    const squashed = await verify('--commit', 'HEAD');
    expect(squashed.code).toBe(0);
    expect(squashed.out).toContain('The commit is another one, with the same files');
    await writeFiles(cwd, { 'page.html': goodPage.replace('E-mail', 'Mail') });
    git(cwd, 'commit', '-qam', 'later');
    const later = { ...failing(1, '[attestation_mismatch]'), out: '' };
    expect(await verify('--commit', 'HEAD')).toMatchObject(later);
    const file = { ...failing(1, 'page.html differs from what was approved'), out: '' };
    expect(await verify()).toMatchObject(file);
  });

  it('attests no commit with other changes than those that were reviewed', async () => {
    const { cwd, attest } = await reviewed();
    await writeFiles(cwd, { 'b.txt': 'b' });
    git(cwd, 'add', '.');
    git(cwd, 'commit', '-qm', 'more');
    const other = { ...failing(2, 'did not review: b.txt'), out: '' };
    expect(await attest('--commit', 'HEAD')).toMatchObject(other);
    await writeFiles(cwd, { 'page.html': goodPage.replace('E-mail', 'Mail') });
    git(cwd, 'commit', '-qam', 'later');
    expect((await attest('--commit', 'HEAD')).err).toContain(
      'does not contain page.html as it was',
    );
    expect((await attest('--commit', 'nowhere')).err).toContain('[revision_unknown]');
  });

  it('attests an override as one, and the dissent with it', async () => {
    const text = goodPage.replace(' lang="en"', '');
    const { cwd, runId, attest, verify } = await reviewed({ decide: false, text });
    expect(await attest()).toMatchObject({ ...failing(2, '[not_attestable]'), out: '' });
    await runCli(cwd, ['answer', runId, 'override', '--reason', 'it is a draft', ...person]);
    await attest('--key', 'review.key', '--out', 'a.json');
    const { code, out } = await verify();
    expect(code).toBe(0);
    expect(out).toContain('VERIFIED: accepted by a person');
    expect(out).toContain('html-lang: fail');
    expect(out).toContain('It was not approved: Ann accepted it (override): it is a draft');
    const { predicate } = JSON.parse((await verify('--json')).out).statement;
    expect(predicate.decisions[0].auditRecord).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('names the audit record of a decision that approved too', async () => {
    const { attest, verify } = await reviewed({
      approve: true,
      asked: 'The page must be friendly.',
    });
    await attest('--key', 'review.key', '--out', 'a.json');
    const { predicate } = JSON.parse((await verify('--json')).out).statement;
    expect(predicate.decisions).toMatchObject([
      { answer: 'decide and approve', auditRecord: expect.stringMatching(/^sha256:/) },
    ]);
  });

  it('attests no run of which only the checks passed', async () => {
    const cwd = await folderOf({ 'page.html': goodPage });
    const argv = ['review', 'page.html', '--require', 'checks', '-q', '--json', '--task-text'];
    const { code, out } = await runCli(cwd, [...argv, 'The page must be friendly.']);
    const { runId, checksPassed } = JSON.parse(out);
    expect({ code, checksPassed }).toEqual({ code: 0, checksPassed: true });
    const { err } = await runCli(cwd, ['attest', runId]);
    expect(err).toContain('only its checks passed');
    expect(err).toContain('[not_attestable]');
  });

  it('gives the statement without a key, for the signing of a platform, which it does not trust', async () => {
    const { cwd, attest, verify } = await reviewed();
    const { out } = await attest('--commit', 'HEAD');
    expect(JSON.parse(out)).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicate: { verdict: 'approved', dissent: [], journal: { digest: {} } },
    });
    writeFileSync(join(cwd, 'a.json'), out);
    const refused = { ...failing(2, 'not signed'), out: '' };
    expect(await verify('--commit', 'HEAD')).toMatchObject(refused);
  });

  it('overwrites no file but an earlier attestation', async () => {
    const { attest } = await reviewed();
    expect((await attest('--out', 'page.html')).err).toContain('[already_exists]');
    expect((await attest('--out', 'a.json')).code).toBe(0);
    expect((await attest('--key', 'review.key', '--out', 'a.json')).code).toBe(0);
  });

  const wrong = [
    ['a missing file', undefined, /file_unreadable/],
    ['an empty file', '', /attestation_invalid/],
    ['a binary file', Buffer.from([0, 1, 2]), /attestation_invalid/],
    ['a huge file', ' '.repeat(17 * 2 ** 20), /file_too_large/],
    ['a list', '[]', /attestation_invalid/],
    ['other JSON', '{"mediaType":1,"dsseEnvelope":{}}', /attestation_invalid/],
  ] as const;
  it.each(wrong)('refuses %s', async (_name, content, error) => {
    const cwd = await folderOf({ 'review.pub': pem('ed25519').publicKey });
    if (content !== undefined) writeFileSync(join(cwd, 'a.json'), content);
    const { code, out, err } = await runCli(cwd, ['verify', 'a.json', '--key', 'review.pub']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(error);
  });

  it('takes P-256 too, and no other key, nor a private one to verify', async () => {
    const { cwd, attest, verify } = await reviewed();
    const [p256, rsa] = [pem('p256'), pem('rsa')];
    await writeFiles(cwd, {
      'p.key': p256.privateKey,
      'p.pub': p256.publicKey,
      'rsa.key': rsa.privateKey,
      'bad.key': 'no key',
    });
    expect((await attest('--key', 'p.key', '--out', 'a.json')).code).toBe(0);
    expect((await runCli(cwd, ['verify', 'a.json', '--key', 'p.pub'])).code).toBe(0);
    expect((await verify()).err).toContain('signed by another key');
    for (const key of ['rsa.key', 'bad.key', 'p.pub'])
      expect((await attest('--key', key)).err, key).toContain('[key_invalid]');
    expect((await runCli(cwd, ['verify', 'a.json', '--key', 'p.key'])).err).toContain(
      'private key',
    );
  });

  it('is verified by the library of Sigstore, and refused once it is changed', async ({ skip }) => {
    const { cwd, attest } = await reviewed();
    // npm brings it
    const npm = createRequire(
      join(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim(), 'npm/'),
    );
    let sigstore: Sigstore;
    try {
      sigstore = { ...npm('@sigstore/verify'), ...npm('@sigstore/bundle') };
    } catch {
      return skip('this npm has no @sigstore/verify');
    }
    for (const type of ['ed25519', 'p256'] as const) {
      const { privateKey, publicKey } = pem(type);
      await writeFiles(cwd, { 'own.key': privateKey });
      const bundle = JSON.parse((await attest('--key', 'own.key')).out);
      const key = { publicKey: createPublicKey(publicKey), validFor: () => true };
      const nobody = {
        certificateAuthorities: [],
        timestampAuthorities: [],
        tlogs: [],
        ctlogs: [],
      };
      const none = { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 };
      const verifier = new sigstore.Verifier({ ...nobody, publicKey: () => key }, none);
      const check = () => verifier.verify(sigstore.toSignedEntity(sigstore.bundleFromJSON(bundle)));
      expect(check().key).toBeDefined();
      bundle.dsseEnvelope.payload = Buffer.from('{}').toString('base64');
      expect(check).toThrow('signature verification failed');
    }
  });

  it('signs for no agent', async () => {
    const { cwd, runId } = await reviewed();
    const argv = ['attest', runId, '--key', 'review.key'];
    expect((await runCli(cwd, argv, { reader: 'agent' })).err).toContain('[person_required]');
    expect((await runCli(cwd, argv.slice(0, 2), { reader: 'agent' })).code).toBe(0);
  });
});
