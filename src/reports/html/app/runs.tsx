import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { overallText } from '../../score-text.js';
import { timeText } from '../../time-text.js';
import type { ModelRun, ReportModel } from '../report-model.js';
import { endingOf } from './overview.js';
import { fragmentOf } from './route.js';
import { Chip, durationText, Prose, plural, row, Section, Table } from './texts.js';
import { costText, tokensText } from './usage-text.js';

const heads = [
  'run',
  'pipeline',
  'verdict',
  'overall',
  'open gaps',
  'undecided',
  'reviews',
  'tokens',
  'cost',
  'took',
];

/** Several runs to compare, by pipeline and day. */
export function Runs({ model }: { readonly model: ReportModel }): JSX.Element {
  const [pipeline, setPipeline] = useState('');
  const pipelines = [...new Set(model.runs.map((run) => run.pipeline))].sort();
  const numbered = model.runs.map((run, index) => ({ run, index }));
  const shown = numbered.filter(({ run }) => pipeline === '' || run.pipeline === pipeline);
  const days = [...new Set(shown.map(({ run }) => run.at.slice(0, 10)))].sort().reverse();
  return (
    <>
      <h1>{plural(model.runs.length, 'run')}</h1>
      {pipelines.length > 1 && (
        <p>
          <label>
            Pipeline{' '}
            <select value={pipeline} onChange={(event) => setPipeline(event.currentTarget.value)}>
              <option value="">all</option>
              {pipelines.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </p>
      )}
      {days.map((day) => (
        <Section key={day} id={`day-${day}`} title={day}>
          <Table look="runs" label={`Runs of ${day}`} heads={heads}>
            {shown
              .filter(({ run }) => run.at.startsWith(day))
              .map(({ run, index }) => runRow(run, index))}
          </Table>
        </Section>
      ))}
    </>
  );
}

function runRow(run: ModelRun, index: number): JSX.Element {
  const best = run.reviews.find((review) => review.best);
  return row(
    run.runId,
    <>
      <a href={fragmentOf(index, true)}>
        <Prose>{run.task.text?.slice(0, 80) ?? run.task.source}</Prose>
      </a>
      <small>{`${run.runId.slice(0, 13)}, ${timeText(run.at)}`}</small>
    </>,
    <Prose>{run.pipeline}</Prose>,
    <Chip kind={endingOf(run)}>{run.status}</Chip>,
    best === undefined ? 'unknown' : overallText(best.scores),
    best?.gaps.length ?? 'unknown',
    run.undecided.length,
    run.reviews.length,
    tokensText(run.usage),
    costText(run.usage),
    durationText(run.durationMs),
  );
}
