import type { JSX } from 'preact';
import type { ModelRun } from '../report-model.js';
import { signOf } from './how-far.js';
import { RequirementLink, useLinks } from './links.js';
import { Quote } from './open.js';
import { Code, Facts, lookOf, Prose, Tag } from './texts.js';

/** Everything that is known of one gap. */
export function Gap({ run, id }: { readonly run: ModelRun; readonly id: string }): JSX.Element {
  const links = useLinks();
  const gap = run.gaps.find((one) => one.id === id);
  if (gap === undefined) return <p role="status">This report has no gap {id}.</p>;
  const place = gap.location?.line === undefined ? gap.file : `${gap.file}:${gap.location.line}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Fix', gap.suggestedFix],
    ['Kind', gap.category],
    ['Effort', gap.estimatedEffort],
    ['Criterion', gap.criterionId],
    ['Raised by', gap.raisedBy],
    ['Standing', gap.standing],
  ];
  const lives = gap.life.flatMap((state, index) =>
    state === '' ? [] : [`${signOf(state)[0]} ${state} in version ${index + 1}`],
  );
  return (
    <section>
      <h2>
        <Tag look={lookOf(gap.severity)}>{gap.severity}</Tag> <Prose>{gap.text}</Prose>
      </h2>
      <Facts
        facts={[
          ['Place', <Code key="place">{place || 'the whole output'}</Code>],
          ...facts.map(
            ([name, value]) =>
              [name, value === undefined ? value : <Prose key={name}>{value}</Prose>] as const,
          ),
          [
            'Requirement',
            gap.affectedRequirement && (
              <>
                <RequirementLink id={gap.requirement} links={links} />
                <Prose>{gap.affectedRequirement}</Prose>
              </>
            ),
          ],
          ['Life', lives.join('; ')],
        ]}
      />
      {gap.evidence !== undefined && (
        <figure>
          <figcaption class="cap">What the reviewer quotes</figcaption>
          <Quote>{gap.evidence}</Quote>
        </figure>
      )}
      {gap.picture && (
        <figure>
          <img src={gap.picture} alt={`${place} as the browser shows it`} />
          <figcaption class="cap">The page as the browser shows it</figcaption>
        </figure>
      )}
      <p>
        <a href={links.to('open')}>All gaps</a>
      </p>
    </section>
  );
}
