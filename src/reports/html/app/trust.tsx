import type { JSX } from 'preact';
import { timeText } from '../../time-text.js';
import type { JudgeCalibration, MeasuredShare, ModelRun } from '../report-model.js';
import { visible } from '../visible.js';
import { Chip, Prose, reachable, row, Table } from './texts.js';

const width = 640;
const left = 210;
const right = 50;
const line = 24;
const top = 26;

const rates = [
  ['tpr', 'good work passes', 'line-overall'],
  ['tnr', 'bad work fails', 'line-completeness'],
] as const;

/** How far the judges of the run can be trusted, as measured on labelled examples. */
export function Trust({ run }: { readonly run: ModelRun }): JSX.Element {
  const { calibrations } = run;
  if (calibrations.length === 0) return <p>No judge of this run was calibrated.</p>;
  return (
    <>
      <p>
        Each judge was asked about examples whose right answer is known. A line shows a share with
        its interval; at 0.50 a judge guesses.
      </p>
      <Intervals calibrations={calibrations} />
      <Table
        label="Calibrated judges"
        heads={['judge', 'good passed', 'bad failed', 'wrong', 'changes its mind', 'examples']}
      >
        {calibrations.map(judgeRow)}
      </Table>
      <ul class="open">
        {calibrations.flatMap(({ judge, notes }) =>
          notes.map((note) => (
            <li key={`${judge.id} ${note}`}>
              <Chip kind="undecided">note</Chip> <Prose>{`${judge.id}: ${note}`}</Prose>
            </li>
          )),
        )}
      </ul>
    </>
  );
}

function judgeRow(calibration: JudgeCalibration): JSX.Element {
  const { judge, at, examples, confusion, tpr, tnr, flipRate } = calibration;
  const model = judge.model === undefined ? '' : `${judge.model}, `;
  return row(
    judge.id,
    <>
      <Prose>{judge.id}</Prose>
      <small>
        <Prose>{`${model}version ${judge.version}, ${timeText(at)}`}</Prose>
      </small>
    </>,
    shareText(tpr),
    shareText(tnr),
    `${confusion.falsePass} bad passed, ${confusion.falseFail} good failed`,
    flipRate === null ? 'unknown' : `${Math.round(flipRate * 100)} %`,
    `${examples.good} good, ${examples.bad} bad; ${examples.judged} judged`,
  );
}

function Intervals({ calibrations }: { readonly calibrations: readonly JudgeCalibration[] }) {
  const lines = calibrations.flatMap(({ judge, ...measured }) =>
    rates.map(([rate, words, look]) => ({ id: judge.id, words, look, share: measured[rate] })),
  );
  const height = top + lines.length * line + 8;
  const x = (share: number) => left + share * (width - left - right);
  const title = `Shares with their intervals. ${lines
    .map(({ id, words, share }) => `${id}, ${words}: ${shareText(share)}`)
    .join('; ')}`;
  return (
    <figure {...reachable} aria-label="Intervals of the judges">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title} class="chart">
        <title>{title}</title>
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share} class="grid">
            <line x1={x(share)} x2={x(share)} y1={top - 6} y2={height - 8} />
            <text x={x(share)} y={14} text-anchor="middle">
              {share.toFixed(2)}
            </text>
          </g>
        ))}
        {lines.map(({ id, words, look, share }, index) => {
          const y = top + index * line + 10;
          return (
            <g key={`${id} ${words}`} class={look}>
              <text x={left - 14} y={y + 4} text-anchor="end">
                {visible(`${id.slice(0, 14)}: ${words}`)}
              </text>
              {share !== null && (
                <>
                  <line class="range" x1={x(share.low)} x2={x(share.high)} y1={y} y2={y} />
                  <circle cx={x(share.value)} cy={y} r={5} />
                </>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption>The same numbers stand in the table below.</figcaption>
    </figure>
  );
}

function shareText(share: MeasuredShare): string {
  if (share === null) return 'not measured';
  const [value, low, high] = [share.value, share.low, share.high].map((one) => one.toFixed(2));
  return `${value} (${low} to ${high})`;
}
