import type { JSX } from 'preact';
import { timeText } from '../../shown-text.js';
import type { JudgeCalibration, ModelRun } from '../report-model.js';
import { Prose, plural, Section, Table } from './texts.js';

/** Those with a finding, a failure or a cost; the others in one sentence. */
export function Judges({ run }: { readonly run: ModelRun }): JSX.Element {
  const { rows, others, said } = run.judges;
  const hasCost = rows.some(({ cost }) => cost !== '');
  return (
    <>
      <Section id="judge-list" title="Judges">
        <p class="soft">{said}</p>
        {rows.length > 0 && (
          <Table
            label="Judges"
            heads={[
              'judge',
              ...run.reviews.map(({ iteration }) => `version ${iteration}`),
              ...(hasCost ? ['cost'] : []),
            ]}
            rows={rows.map(({ id, name, cells, cost, errors }) => ({
              key: id,
              cells: [
                <>
                  <Prose>{name}</Prose>
                  {name !== id && (
                    <small class="mono">
                      <Prose>{id}</Prose>
                    </small>
                  )}
                  {errors.map((error) => (
                    <small key={error}>
                      <Prose>{error}</Prose>
                    </small>
                  ))}
                </>,
                ...cells,
                ...(hasCost ? [cost] : []),
              ],
            }))}
          />
        )}
        {others.length > 0 && (
          <details>
            <summary>{plural(others.length, 'judge')} without a finding</summary>
            <p>
              <small>
                <Prose>{others.join(', ')}</Prose>
              </small>
            </p>
          </details>
        )}
      </Section>
      {run.lists.map(({ id, title, heads, rows: listed, more }) => (
        <Section key={id} id={id} title={title}>
          <Table
            label={title}
            heads={heads}
            rows={listed.map((cells, index) => ({
              key: index,
              cells: cells.map((cell) => <Prose>{cell}</Prose>),
            }))}
          />
          {more !== undefined && <p>{more}</p>}
        </Section>
      ))}
      {run.calibrations.length > 0 && <Trust calibrations={run.calibrations} />}
    </>
  );
}

/** How far the judges of the run can be trusted, as measured on labelled examples. */
function Trust({ calibrations }: { readonly calibrations: readonly JudgeCalibration[] }) {
  return (
    <Section id="trust" title="How far judges can be trusted">
      <p class="soft">
        Each was asked about examples whose right answer is known. At 0.50 a judge guesses.
      </p>
      <Table
        label="Calibrated judges"
        heads={['judge', 'good passed', 'bad failed', 'wrong', 'changes its mind', 'examples']}
        rows={calibrations.map(({ judge, at, examples, confusion, tpr, tnr, flipRate, notes }) => ({
          key: judge.id,
          cells: [
            <>
              <Prose>{judge.id}</Prose>
              {[
                `${judge.model === undefined ? '' : `${judge.model}, `}version ${judge.version}, ${timeText(at)}`,
                ...notes,
              ].map((note) => (
                <small key={note}>
                  <Prose>{note}</Prose>
                </small>
              ))}
            </>,
            shareText(tpr),
            shareText(tnr),
            `${confusion.falsePass} bad passed, ${confusion.falseFail} good failed`,
            flipRate === null ? 'unknown' : `${Math.round(flipRate * 100)} %`,
            `${examples.good} good, ${examples.bad} bad; ${examples.judged} judged`,
          ],
        }))}
      />
    </Section>
  );
}

function shareText(share: JudgeCalibration['tpr']): string {
  if (share === null) return 'not measured';
  const [value, low, high] = [share.value, share.low, share.high].map((one) => one.toFixed(2));
  return `${value} (${low} to ${high})`;
}
