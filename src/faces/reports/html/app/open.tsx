import type { JSX } from 'preact';
import { isOpenIn, type ModelGap, type ModelQuestion, type ModelRun } from '../report-model.js';
import { RequirementLink, useLinks } from './links.js';
import { Code, lookOf, Passage, Prose, plural, Section, Tag, useMost } from './texts.js';

const page = 200;

/** Questions first, then gaps by file. */
export function Open({ run }: { readonly run: ModelRun }): JSX.Element {
  const gaps = openGaps(run);
  const { most, button } = useMost(gaps.length, page);
  const shown = gaps.slice(0, most);
  const files = [...new Set(shown.map(({ file }) => file))];
  const asked = run.questions.length;
  return (
    <Section id="open" title={`Open: ${run.counted}`}>
      {asked > 0 && (
        <div class="panel list">
          {run.questions.map((one, index) => (
            <Question key={index} question={one} />
          ))}
        </div>
      )}
      {gaps.length > 0 && (
        <div class="panel">
          {files.map((file) => (
            <FileGaps
              key={file}
              file={file}
              gaps={shown.filter((gap) => gap.file === file)}
              all={gaps.filter((gap) => gap.file === file).length}
            />
          ))}
        </div>
      )}
      {button}
    </Section>
  );
}

function openGaps({ gaps, reviews }: ModelRun): readonly ModelGap[] {
  const best = reviews.findIndex((review) => review.best);
  return gaps.filter((gap) => isOpenIn(gap, best));
}

const looks = {
  must: 'warn',
  question: 'warn',
  'may stay open': 'gone',
  'judge failed': 'bad',
  'not reviewed': 'gone',
} as const;

function Question({ question }: { readonly question: ModelQuestion }): JSX.Element {
  const { tag, id = '', place, text, why, passages } = question;
  const links = useLinks();
  return (
    <article class="q">
      <div>
        <p>
          <Tag look={looks[tag]}>{tag}</Tag>{' '}
          <small>
            {/^R\d+$/.test(id) ? (
              <RequirementLink id={id} links={links} />
            ) : (
              <Prose>{id === text ? '' : `${id} `}</Prose>
            )}
            {place !== undefined && <Prose>{place}</Prose>}
          </small>
        </p>
        <h3>
          <Prose>{text}</Prose>
        </h3>
        <p>
          <small>
            <Prose>{why}</Prose>
          </small>
        </p>
      </div>
      {passages.length > 0 && (
        <div>
          {passages.map((passage, index) => (
            <Passage key={index} passage={passage} />
          ))}
        </div>
      )}
    </article>
  );
}

function FileGaps(props: {
  readonly file: string;
  readonly gaps: readonly ModelGap[];
  readonly all: number;
}): JSX.Element {
  return (
    <>
      <p class="file">
        <Prose>{props.file === '' ? 'In no single line' : props.file}</Prose>{' '}
        <span>{plural(props.all, 'gap')}</span>
      </p>
      <ul class="list">
        {props.gaps.map((gap) => (
          <Gap key={gap.id} gap={gap} />
        ))}
      </ul>
    </>
  );
}

function Gap({ gap }: { readonly gap: ModelGap }): JSX.Element {
  const links = useLinks();
  const { id, text, severity, location, requirement, suggestedFix, file } = gap;
  return (
    <li class="gap">
      <span class="ln">{location?.line ?? (file === '' ? (requirement ?? '') : '')}</span>
      <Tag look={lookOf(severity)}>{severity}</Tag>
      <p>
        <a href={links.to(`gap/${id}`)}>
          <Prose>{text}</Prose>
        </a>{' '}
        {file !== '' && requirement !== undefined && (
          <small>
            <RequirementLink id={requirement} links={links} />
          </small>
        )}
      </p>
      {suggestedFix !== gap.description && (
        <p class="fix">
          <b>Fix</b> <Prose>{suggestedFix}</Prose>
        </p>
      )}
    </li>
  );
}

export function Quote({ children }: { readonly children: string }): JSX.Element {
  return (
    <blockquote class="quote">
      <Code>{children}</Code>
    </blockquote>
  );
}
