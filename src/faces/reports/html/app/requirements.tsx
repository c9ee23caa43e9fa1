import type { JSX } from 'preact';
import type { ModelRun } from '../report-model.js';
import { visible } from '../visible.js';
import { Quote } from './open.js';
import { Prose, Section, Table, Tag, useMost } from './texts.js';

const looks: Readonly<Record<string, 'ok' | 'bad' | 'warn'>> = { met: 'ok', 'not met': 'bad' };

export function Requirements(props: { readonly run: ModelRun; readonly id: string }): JSX.Element {
  const { run, id } = props;
  const { requirements, reviews } = run;
  const place = requirements.findIndex((one) => one.id === id);
  const { most, button } = useMost(requirements.length, Math.max(200, place + 1));
  const back = reviews.find(({ best }) => best)?.iteration;
  if (requirements.length === 0) return <p>No requirements were judged in this run.</p>;
  return (
    <Section id="requirement-list" title="Requirements">
      {id !== '' && place < 0 && (
        <p role="status">{`This report has no requirement ${visible(id)}.`}</p>
      )}
      <Table
        label="Requirements"
        heads={['requirement', back === undefined ? 'state' : `version ${back}`, 'who says so']}
        rows={requirements.slice(0, most).map((one, index) => ({
          key: index,
          id: one.id,
          cells: [
            <Prose>{`${one.id ?? ''} ${one.text}`}</Prose>,
            <Tag look={looks[one.state] ?? 'warn'}>{one.state}</Tag>,
            <>
              <Prose>{one.by}</Prose>
              {one.evidence.map(({ file, line, quote, doubt }) => (
                <small key={line}>
                  <Prose>{`${file}:${line}${doubt === undefined ? '' : `, ${doubt}`}`}</Prose>
                  <Quote>{quote}</Quote>
                </small>
              ))}
            </>,
          ],
        }))}
      />
      {button}
    </Section>
  );
}
