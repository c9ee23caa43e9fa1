import type { JSX } from 'preact';
import type { AttemptReport, JudgeReport } from '../../run-report.js';
import type { ModelRun } from '../report-model.js';
import { Chip, durationText, Prose, plural, Table, timeText } from './texts.js';
import { Timeline } from './timeline.js';
import { costText, sumOf, tokensText } from './usage-text.js';

const unknown = 'unknown';

const heads = [
  'judge',
  'passed',
  'failed',
  'undecided',
  'not applicable',
  'errors',
  'reused',
  'tokens',
  'cost',
  'time',
];

/** Every judge with its verdicts, errors, reuse, tokens, money and time, and the time line. */
export function Judges({ run }: { readonly run: ModelRun }): JSX.Element {
  const asked = [...run.judges].sort((a, b) => weightOf(b) - weightOf(a));
  const idle = asked.filter((judge) => weightOf(judge) === 0);
  return (
    <>
      <section aria-labelledby="judges">
        <h2 id="judges">Judges</h2>
        <Table look="judges" label="Judges" heads={heads}>
          {asked
            .filter((judge) => weightOf(judge) > 0)
            .map((judge) => (
              <Row key={judge.id} judge={judge} name={run.names[judge.id]} />
            ))}
          {asked.length > 1 && <Row judge={totalOf(asked)} name={undefined} />}
        </Table>
        {idle.length > 0 && (
          <details>
            <summary>{`${plural(idle.length, 'judge')} found nothing to judge`}</summary>
            <p>
              <Prose>{idle.map(({ id }) => id).join(', ')}</Prose>
            </p>
          </details>
        )}
      </section>
      {run.attempts.length > 0 && <Attempts attempts={run.attempts} />}
      <section aria-labelledby="time">
        <h2 id="time">Time</h2>
        <Timeline run={run} />
      </section>
    </>
  );
}

function weightOf({ passed, failed, undecided, errored }: JudgeReport): number {
  return errored * 1e6 + undecided * 1e4 + failed * 100 + passed;
}

/** Returns what all judges did together. Their times overlap, so that they have no sum. */
function totalOf(judges: readonly JudgeReport[]): JudgeReport {
  const sum = (name: 'passed' | 'failed' | 'undecided' | 'skipped' | 'errored') =>
    judges.reduce((total, judge) => total + judge[name], 0);
  return {
    id: 'all judges',
    passed: sum('passed'),
    failed: sum('failed'),
    undecided: sum('undecided'),
    skipped: sum('skipped'),
    errored: sum('errored'),
    reused: judges.reduce<number | undefined>(
      (total, { reused }) =>
        total === undefined || reused === undefined ? undefined : total + reused,
      0,
    ),
    usage: sumOf(judges.map(({ usage }) => usage)),
    errors: [],
  };
}

function Row({ judge, name }: { readonly judge: JudgeReport; readonly name: string | undefined }) {
  const asksNobody = judge.tier === 'code' && tokensText(judge.usage) === unknown;
  return (
    <tr>
      <th scope="row">
        <Prose>{name === undefined ? judge.id : `${name} (${judge.id})`}</Prose>
        {judge.tier !== undefined && <small>{judge.tier}</small>}
      </th>
      <td>{judge.passed}</td>
      <td>{judge.failed}</td>
      <td>{judge.undecided}</td>
      <td>{judge.skipped}</td>
      <td>
        {judge.errored === 0 ? '0' : <Chip kind="errored">{String(judge.errored)}</Chip>}
        {judge.errors.map((error) => (
          <small key={error}>
            <Prose>{error}</Prose>
          </small>
        ))}
      </td>
      <td>{judge.reused ?? unknown}</td>
      <td>{asksNobody ? 'none' : tokensText(judge.usage)}</td>
      <td>{asksNobody ? 'none' : costText(judge.usage)}</td>
      <td>{judge.id === 'all judges' ? '' : durationText(judge.durationMs)}</td>
    </tr>
  );
}

const most = 100;

/** The calls that failed. Each was made again, or is an error of its judge. */
function Attempts({ attempts }: { readonly attempts: readonly AttemptReport[] }): JSX.Element {
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Failed calls</h2>
      <Table label="Failed calls" heads={['when', 'call', 'code', 'reason']}>
        {attempts.slice(0, most).map(({ at, name, code, message }, index) => (
          <tr key={index}>
            <td>{timeText(at)}</td>
            {[name, code, message].map((text, column) => (
              <td key={column}>
                <Prose>{text}</Prose>
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {attempts.length > most && <p>{`The first ${most} of ${attempts.length} failed calls.`}</p>}
    </section>
  );
}
