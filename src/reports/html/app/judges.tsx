import type { JSX } from 'preact';
import type { JudgeReport } from '../../run-report.js';
import type { ModelList, ModelRun } from '../report-model.js';
import { Chip, durationText, Prose, plural, row, Section, Table } from './texts.js';
import { Timeline } from './timeline.js';
import { costText, tokensText } from './usage-text.js';

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
  const asked = run.judges.filter(hasJudged);
  const idle = run.judges.filter((judge) => !hasJudged(judge));
  return (
    <>
      <Section id="judges" title="Judges">
        <Table look="judges" label="Judges" heads={heads}>
          {asked.map((judge) => judgeRow(judge, run.names[judge.id]))}
          {asked.length > 1 && judgeRow(run.allJudges, undefined, '')}
        </Table>
        {idle.length > 0 && (
          <details>
            <summary>{`${plural(idle.length, 'judge')} found nothing to judge`}</summary>
            <p>
              <Prose>{idle.map(({ id }) => id).join(', ')}</Prose>
            </p>
          </details>
        )}
      </Section>
      {run.lists.map((list) => (
        <List key={list.id} {...list} />
      ))}
      <Section id="time" title="Time">
        <Timeline run={run} />
      </Section>
    </>
  );
}

function hasJudged({ passed, failed, undecided, errored }: JudgeReport): boolean {
  return passed + failed + undecided + errored > 0;
}

function judgeRow(
  judge: JudgeReport,
  name?: string,
  time: string = durationText(judge.durationMs),
): JSX.Element {
  const asksNobody = judge.tier === 'code' && tokensText(judge.usage) === unknown;
  return row(
    judge.id,
    <>
      <Prose>{name === undefined ? judge.id : `${name} (${judge.id})`}</Prose>
      {judge.tier !== undefined && <small>{judge.tier}</small>}
    </>,
    judge.passed,
    judge.failed,
    judge.undecided,
    judge.skipped,
    <>
      {judge.errored === 0 ? '0' : <Chip kind="errored">{String(judge.errored)}</Chip>}
      {judge.errors.map((error) => (
        <small key={error}>
          <Prose>{error}</Prose>
        </small>
      ))}
    </>,
    judge.reused ?? unknown,
    asksNobody ? 'none' : tokensText(judge.usage),
    asksNobody ? 'none' : costText(judge.usage),
    time,
  );
}

function List({ id, title, heads, rows, more }: ModelList): JSX.Element {
  return (
    <Section id={id} title={title}>
      <Table label={title} heads={heads}>
        {rows.map(([first = '', ...cells], index) =>
          row(index, <Prose>{first}</Prose>, ...cells.map((cell) => <Prose>{cell}</Prose>)),
        )}
      </Table>
      {more !== undefined && <p>{more}</p>}
    </Section>
  );
}
