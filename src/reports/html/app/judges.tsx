import type { JSX } from 'preact';
import type { AttemptReport, JudgeReport } from '../../run-report.js';
import { type VoteRow, voteRows } from '../../vote-rows.js';
import type { ModelRun } from '../report-model.js';
import { Chip, durationText, Prose, plural, row, Section, Table, timeText } from './texts.js';
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
  const votes = voteRows(run.reviews);
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
      {votes.length > 0 && <Votes rows={votes} />}
      {run.attempts.length > 0 && <Attempts attempts={run.attempts} />}
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

const most = 100;

/** Who voted what on which text. */
function Votes({ rows }: { readonly rows: readonly VoteRow[] }): JSX.Element {
  return (
    <Section id="votes" title="Votes">
      <Table label="Votes" heads={['criterion', 'text', 'reviews', 'votes']}>
        {rows
          .slice(0, most)
          .map(({ criterion, text, reviews, votes }, index) =>
            row(index, <Prose>{criterion}</Prose>, text, reviews, <Prose>{votes}</Prose>),
          )}
      </Table>
      {rows.length > most && <p>{`The first ${most} of ${rows.length} texts.`}</p>}
    </Section>
  );
}

/** The calls that failed. Each was made again, or is an error of its judge. */
function Attempts({ attempts }: { readonly attempts: readonly AttemptReport[] }): JSX.Element {
  return (
    <Section id="attempts" title="Failed calls">
      <Table label="Failed calls" heads={['call', 'when', 'code', 'reason']}>
        {attempts
          .slice(0, most)
          .map(({ at, name, code, message }, index) =>
            row(
              index,
              <Prose>{name}</Prose>,
              timeText(at),
              <Prose>{code}</Prose>,
              <Prose>{message}</Prose>,
            ),
          )}
      </Table>
      {attempts.length > most && <p>{`The first ${most} of ${attempts.length} failed calls.`}</p>}
    </Section>
  );
}
