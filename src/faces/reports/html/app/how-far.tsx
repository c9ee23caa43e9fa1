import type { JSX } from 'preact';
import { overallText } from '../../score-text.js';
import type { GapState } from '../../version-words.js';
import type { ModelGap, ModelReview, ModelRun } from '../report-model.js';
import { useLinks } from './links.js';
import { Prose, plural, reachable, Section, Table, Tag, useMost } from './texts.js';

const wide = 110;

export function HowFar({ run }: { readonly run: ModelRun }): JSX.Element {
  const { reviews, requirements } = run;
  const links = useLinks();
  const worst = Math.max(1, ...reviews.map(({ open }) => open));
  return (
    <Section id="far" title="How far the versions got">
      <Table
        label="How far the versions got"
        heads={['version', 'gaps', ...(requirements.length > 0 ? ['requirements'] : []), 'overall']}
        rows={reviews.map((review, index) => ({
          key: review.iteration,
          look: review.best ? 'best' : undefined,
          cells: [
            <>
              <b>Version {review.iteration}</b> {review.best && <Tag look="ok">came back</Tag>}
            </>,
            <Bar open={review.open} worst={worst} />,
            ...(requirements.length > 0 ? [<Cells run={run} index={index} />] : []),
            <Overall review={review} />,
          ],
        }))}
      />
      <p>
        <small>{run.needs}</small>{' '}
        {reviews.length > 1 && <a href={links.to('versions')}>What changed</a>}
      </p>
    </Section>
  );
}

function Bar({ open, worst }: { readonly open: number; readonly worst: number }): JSX.Element {
  const width = Math.max(2, Math.round((open / worst) * wide));
  return (
    <span class="bar">
      <svg class={open > 0 ? 'is-bad' : 'is-ok'} width={width} height="12" aria-hidden="true">
        <rect width="100%" height="12" rx="3" />
      </svg>
      <span>
        <b>{open.toLocaleString('en')}</b> open
      </span>
    </span>
  );
}

const looks: Readonly<Record<string, string>> = { '✓': 'ok', '×': 'bad', '?': 'warn' };
/** More cells than this are no picture any more. */
const mostCells = 60;

function Cells({ run, index }: { readonly run: ModelRun; readonly index: number }): JSX.Element {
  const signs = run.requirements.map(({ cells }) => cells[index] ?? '?');
  const count = (sign: string) => signs.filter((one) => one === sign).length;
  const [met, not, open] = [count('✓'), count('×'), count('?')];
  const words = [
    `${met} met`,
    ...(not > 0 ? [`${not} not met`] : []),
    ...(open > 0 ? [`${open} undecided`] : []),
  ].join(', ');
  return (
    <>
      {signs.length <= mostCells && (
        <span class="cells" aria-hidden="true">
          {signs.map((sign, place) => (
            <span key={place} class={`cell is-${looks[sign]}`}>
              {sign}
            </span>
          ))}
        </span>
      )}{' '}
      <span class="small soft">{words}</span>
    </>
  );
}

/** Unknown until every must-have is decided. */
function Overall({ review }: { readonly review: ModelReview }): JSX.Element {
  const { undecided, scores } = review;
  return (
    <>
      {overallText(scores)}
      {scores.overall === null && undecided > 0 && (
        <span class="small soft">{` (${plural(undecided, 'must-have')} undecided)`}</span>
      )}
    </>
  );
}

const states: Readonly<Record<GapState, readonly [string, string]>> = {
  '': ['', ''],
  found: ['●', 'bad'],
  'still open': ['●', 'bad'],
  'came back': ['↺', 'bad'],
  fixed: ['✓', 'ok'],
  'no longer there': ['∅', 'gone'],
  unknown: ['?', 'warn'],
};

export function signOf(state: GapState): readonly [string, string] {
  return states[state];
}

/** A row for each gap, a column for each version. */
export function Lives({ run }: { readonly run: ModelRun }): JSX.Element {
  const { gaps, reviews } = run;
  const links = useLinks();
  const { most, button } = useMost(gaps.length, 100);
  const shown = gaps.slice(0, most);
  return (
    <Section id="life" title="The life of each gap">
      <p class="soft">{run.became}</p>
      <section class="panel boxed life" {...reachable} aria-label="Gaps by version, table">
        <table>
          <thead>
            <tr>
              <th scope="col">gap</th>
              {reviews.map(({ iteration }) => (
                <th scope="col" key={iteration}>
                  version {iteration}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((gap, index) => (
              <>
                {gap.file !== shown[index - 1]?.file && (
                  <tr key={`file ${gap.file}`} class="head">
                    <th colSpan={reviews.length + 1} scope="rowgroup">
                      <Prose>{gap.file === '' ? 'In no single line' : gap.file}</Prose>
                    </th>
                  </tr>
                )}
                <Life key={gap.id} gap={gap} to={links.to(`gap/${gap.id}`)} />
              </>
            ))}
          </tbody>
        </table>
      </section>
      {gaps.some(({ life }) => life.includes('no longer there')) && (
        <p>
          <small>
            ∅ no longer there: what was wrong was taken out. Nobody has said that the work is right
            without it.
          </small>
        </p>
      )}
      {button}
    </Section>
  );
}

function Life({ gap, to }: { readonly gap: ModelGap; readonly to: string }): JSX.Element {
  return (
    <tr>
      <th scope="row" class="gap-name">
        <span class="ln">{gap.location?.line ?? gap.requirement ?? ''}</span>
        <a href={to}>
          <Prose>{gap.text}</Prose>
        </a>
      </th>
      {gap.life.map((state, index) => {
        const [sign, look] = signOf(state);
        const again = index > 0 && gap.life[index - 1] === state ? ' again' : '';
        return (
          <td key={index} class={`is-${look}${again}`} data-l={`v${index + 1}`}>
            {state !== '' && `${sign} ${state}`}
          </td>
        );
      })}
    </tr>
  );
}
