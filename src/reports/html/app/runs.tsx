import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ModelRun, ReportModel } from '../report-model.js';
import { endingOf } from './overview.js';
import { fragmentOf } from './route.js';
import { Chip, durationText, Prose, plural, scoreText, Table, timeText } from './texts.js';
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
        <section key={day} aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>{day}</h2>
          <Table label={`Runs of ${day}`} heads={heads}>
            {shown
              .filter(({ run }) => run.at.startsWith(day))
              .map(({ run, index }) => (
                <Row key={run.runId} run={run} index={index} />
              ))}
          </Table>
        </section>
      ))}
    </>
  );
}

function Row({ run, index }: { readonly run: ModelRun; readonly index: number }): JSX.Element {
  const best = run.reviews.find((review) => review.best);
  return (
    <tr>
      <th scope="row">
        <a href={fragmentOf(index, true)}>
          <Prose>{run.task.text?.slice(0, 80) ?? run.task.source}</Prose>
        </a>
        <small>{`${run.runId.slice(0, 13)}, ${timeText(run.at)}`}</small>
      </th>
      <td>
        <Prose>{run.pipeline}</Prose>
      </td>
      <td>
        <Chip kind={endingOf(run)}>{run.status}</Chip>
      </td>
      <td>{scoreText(best?.scores.overall)}</td>
      <td>{best?.gaps.length ?? 'unknown'}</td>
      <td>{run.undecided.length}</td>
      <td>{run.reviews.length}</td>
      <td>{tokensText(run.usage)}</td>
      <td>{costText(run.usage)}</td>
      <td>{durationText(run.durationMs)}</td>
    </tr>
  );
}
