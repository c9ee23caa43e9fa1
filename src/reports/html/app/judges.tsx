import type { JSX } from 'preact';
import type { JudgeReport } from '../../run-report.js';
import type { ModelRun } from '../report-model.js';
import { Chip, durationText, Prose, plural, Table } from './texts.js';
import { Timeline } from './timeline.js';
import { costText, tokensText } from './usage-text.js';

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
        <Table label="Judges" heads={heads}>
          {asked
            .filter((judge) => weightOf(judge) > 0)
            .map((judge) => (
              <Row key={judge.id} judge={judge} name={run.names[judge.id]} />
            ))}
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

function Row({ judge, name }: { readonly judge: JudgeReport; readonly name: string | undefined }) {
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
      <td>{judge.reused ?? 'unknown'}</td>
      <td>{tokensText(judge.usage)}</td>
      <td>{costText(judge.usage)}</td>
      <td>{durationText(judge.durationMs)}</td>
    </tr>
  );
}
