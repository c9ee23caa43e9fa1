import { resolve } from 'node:path';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { digestOf } from '../../../core/json.js';
import { plural } from '../../../core/plural.js';
import { figureText } from '../../../core/score-text.js';
import { readTextFile, writeFileAtomic } from '../../../node/files.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import {
  type Arrangement,
  auditCertificate,
  type Certificate,
  checkedArrangement,
  checkedCertificate,
} from '../../../products/calibration/certificate.js';
import { type Certification, certify } from '../../../products/calibration/certify.js';
import { calibrationErrors } from '../../../products/calibration/errors.js';
import type { ReadLabel } from '../../../products/calibration/labels.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { type Io, tell } from '../../cli-kit/io.js';
import type { certifyFlags } from './calibration-flags.js';
import { keepRecord, readLabelFile } from './stored-labels.js';

type Settings = SettingsOf<typeof certifyFlags>;

const mostBytes = 10_000_000;

export async function runCertify(call: StoredCall, settings: Settings): Promise<number> {
  const { io } = call;
  const { labels: file, audit } = settings;
  if (file === undefined) throw usageError('certify requires --labels FILE');
  const given = (['arrangement', 'alpha', 'sequential'] as const).filter(
    (name) => settings[name] !== undefined && settings[name] !== false,
  );
  if (audit !== undefined && given.length > 0)
    throw usageError(`--audit reads the certificate; leave out --${given.join(', --')}`);
  const labels = approvals(await readLabelFile(io, file), file);
  return audit === undefined
    ? certifyLabels(call, settings, labels)
    : auditByLabels(io, { ...settings, audit }, labels);
}

async function certifyLabels(
  { io, store }: StoredCall,
  settings: Settings,
  labels: readonly ReadLabel[],
): Promise<number> {
  const { alpha, delta, sequential } = settings;
  const certification = certify({
    labels,
    arrangement: await arrangementOf(io, settings.arrangement, labels),
    alpha,
    delta,
    method: sequential === true ? 'sequential' : 'fixed',
  });
  const kept = certification.certified
    ? await keepRecord(store, io.cwd, certificateFile(certification.certificate))
    : undefined;
  const lines = certificationLines(certification, kept).map(oneLine);
  await tell(io, settings.format, { data: { certification, kept }, lines });
  return certification.certified ? 0 : 50;
}

function certificateFile(record: Certificate) {
  const at = record.at.slice(0, 19).replace(/\D/g, '');
  const name = `${record.arrangement.digest.slice(0, 16)}-${at}`;
  return { folder: 'certificates', name, record } as const;
}

function certificationLines(certification: Certification, kept: string | undefined): string[] {
  if (!certification.certified) return [`NOT CERTIFIED: ${certification.reason}`];
  const { n, k, alpha, delta, upperBound, arrangement } = certification.certificate;
  return [
    `CERTIFIED: at most ${alpha} of the approvals are wrong, with confidence ${figureText(1 - delta)}`,
    `${k} of ${plural(n, 'label')} ${k === 1 ? 'is' : 'are'} wrong; upper bound ${figureText(upperBound, alpha)}`,
    `arrangement: ${arrangement.digest}`,
    `stored: ${kept}`,
  ];
}

async function auditByLabels(
  io: Io,
  { audit: file, delta, format }: Settings & { readonly audit: string },
  labels: readonly ReadLabel[],
): Promise<number> {
  const certificate = checkedCertificate('--audit', await jsonOf(io, file));
  const audit = auditCertificate({ certificate, labels, delta });
  if (audit.withdrawn)
    await writeFileAtomic(resolve(io.cwd, file), `${JSON.stringify(audit.certificate, null, 2)}\n`);
  const { n, k, withdrawn } = audit;
  const line = `${withdrawn ? 'WITHDRAWN' : 'STILL VALID'}: ${k} of ${plural(n, 'audited approval')} ${k === 1 ? 'is' : 'are'} wrong, alpha ${certificate.alpha}`;
  await tell(io, format, { data: { audit, kept: file }, lines: [oneLine(line)] });
  return withdrawn ? 50 : 0;
}

function approvals(labels: readonly ReadLabel[], name: string): readonly ReadLabel[] {
  const refuse = (why: string): never => {
    throw new ReviewLoopError(calibrationErrors.labels_invalid, `${name}: ${why}`);
  };
  const seen = new Map<string, string>();
  for (const { id, task, output, overridden, criterion } of labels) {
    if (criterion !== undefined)
      refuse(`${id} is about the criterion ${criterion}, not about an approval: leave it out`);
    if (overridden === true)
      refuse(`${id} was overridden by a person: leave it out, because no reviewer approved it`);
    const digest = digestOf([task, output]);
    const first = seen.get(digest);
    if (first !== undefined) refuse(`${first} and ${id} are the same outcome: keep one of them`);
    seen.set(digest, id);
  }
  return labels;
}

async function arrangementOf(
  io: Io,
  given: string | undefined,
  labels: readonly ReadLabel[],
): Promise<Arrangement | string> {
  const all = labels.every(({ arrangement }) => arrangement !== undefined);
  const digest = given ?? (all ? labels[0]?.arrangement : undefined);
  if (digest === undefined)
    throw usageError(
      'certify requires --arrangement: the digest that requireCertificate names, or a JSON file',
    );
  return /^[0-9a-f]{64}$/.test(digest)
    ? digest
    : checkedArrangement('--arrangement', await jsonOf(io, digest));
}

async function jsonOf(io: Io, file: string): Promise<unknown> {
  const read = await readTextFile(resolve(io.cwd, file), { shown: file, maxBytes: mostBytes });
  try {
    return JSON.parse(read.kind === 'text' ? read.text : '');
  } catch (error) {
    throw usageError(`${file} is not JSON: ${messageOf(error)}`, file);
  }
}
