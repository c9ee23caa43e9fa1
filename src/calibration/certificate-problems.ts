import type { Arrangement } from './arrangement.js';
import type { Certificate } from './certificate.js';

/** What a certificate must show. */
export interface CertificateBars {
  readonly alpha: number;
  readonly delta: number;
}

interface Bound {
  readonly arrangement: Arrangement;
  readonly digest: string;
}

/**
 * Returns why no certificate counts for an arrangement. Undefined if one does. A certificate counts
 * if it is of this very arrangement, shows enough, and is newer than every withdrawal.
 */
export function certificateProblem(
  certificates: readonly Certificate[],
  { arrangement, digest }: Bound,
  bars: CertificateBars,
): string | undefined {
  const own = certificates.filter((certificate) => certificate.arrangement.digest === digest);
  if (own.length === 0) return foreign(certificates, { arrangement, digest });
  const lastWithdrawal = Math.max(
    ...own.map(({ withdrawn }) =>
      withdrawn === undefined ? Number.NEGATIVE_INFINITY : Date.parse(withdrawn.at),
    ),
  );
  const valid = own.filter(
    ({ at, withdrawn }) => withdrawn === undefined && Date.parse(at) > lastWithdrawal,
  );
  if (valid.length === 0) return withdrawal(own);
  if (valid.some(({ alpha, delta }) => alpha <= bars.alpha && delta <= bars.delta))
    return undefined;
  const shown = valid.map(({ alpha, delta }) => `alpha ${alpha} and delta ${delta}`);
  return `the certificate shows ${shown.join(', or ')}; alpha ${bars.alpha} and delta ${bars.delta} are required`;
}

function withdrawal(own: readonly Certificate[]): string {
  const said = own
    .flatMap(({ withdrawn }) => withdrawn ?? [])
    .map(({ at, n, k }) => `at ${at}: ${k} of ${n} audited approvals are wrong`);
  return `the certificate was withdrawn ${said.join('; ')}`;
}

function foreign(certificates: readonly Certificate[], { arrangement, digest }: Bound): string {
  if (certificates.length === 0) return `no certificate of arrangement ${digest}`;
  const known = certificates.flatMap(({ arrangement: { of } }) => of ?? []);
  const fewest = known
    .map((other) => differences(other, arrangement))
    .sort((a, b) => a.length - b.length)[0];
  const why = fewest === undefined || fewest.length === 0 ? '' : `: ${fewest.join(', ')}`;
  return `the certificate is void, because it is of another arrangement than ${digest}${why}`;
}

/** Names what differs between the certified arrangement and this one. */
function differences(certified: Arrangement, now: Arrangement): string[] {
  const before = new Map(certified.judges.map((judge) => [judge.id, judge]));
  const ids = new Set(now.judges.map(({ id }) => id));
  const judges = now.judges.flatMap(({ id, version, tier }) => {
    const known = before.get(id);
    if (known === undefined) return [`${id} is new`];
    if (known.version !== version) return [`${id} has another prompt, model or rule`];
    return known.tier === tier ? [] : [`${id} is in another tier`];
  });
  const gone = certified.judges.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id} is gone`);
  const rules =
    JSON.stringify(certified.rules) === JSON.stringify(now.rules)
      ? []
      : [`the policy was ${certified.rules.name}, and is ${now.rules.name} with other options`];
  const tasks =
    certified.tasks === now.tasks
      ? []
      : [`the tasks were ${named(certified.tasks)}, and are ${named(now.tasks)}`];
  return [...judges, ...gone, ...rules, ...tasks];
}

function named(tasks: string | undefined): string {
  return tasks === undefined ? 'not named' : JSON.stringify(tasks);
}
