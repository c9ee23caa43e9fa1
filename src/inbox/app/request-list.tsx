import type { JSX } from 'preact';
import { lookOf, Prose, plural, Tag } from '../../reports/html/app/texts.js';
import { timeText } from '../../reports/time-text.js';
import type { ListedRequest, RequestPage } from '../list-requests.js';
import { requestFragment } from './inbox-route.js';

/** The questions that wait, newest first. */
export function RequestList(props: {
  readonly page: RequestPage | undefined;
  readonly onMore: () => void;
}): JSX.Element {
  const { page, onMore } = props;
  if (page === undefined) return <h1>Inbox</h1>;
  const { requests, next } = page;
  return (
    <>
      <h1>
        Inbox
        <small role="status">{waitText(requests.length, next !== undefined)}</small>
      </h1>
      <ul class="requests">
        {requests.map((request) => (
          <Item key={request.id} request={request} />
        ))}
      </ul>
      {next !== undefined && (
        <button type="button" onClick={onMore}>
          Show more
        </button>
      )}
    </>
  );
}

function waitText(count: number, isMore: boolean): string {
  if (count === 0) return 'No question waits.';
  if (isMore) return `The newest ${count} questions that wait`;
  return `${plural(count, 'question')} ${count === 1 ? 'waits' : 'wait'}`;
}

const severities = ['critical', 'major', 'minor'] as const;

function Item({ request }: { readonly request: ListedRequest }): JSX.Element {
  const { runId, id, question, pipeline, title, askedAt, expiresAt, expired, gaps, undecided } =
    request;
  return (
    <li>
      <a href={requestFragment(runId, id)}>
        <Prose>{title === undefined ? question : `${title}: ${question}`}</Prose>
      </a>
      <p>
        {severities.map((severity) => {
          const count = gaps[severity] ?? 0;
          return (
            count > 0 && <Tag key={severity} look={lookOf(severity)}>{`${count} ${severity}`}</Tag>
          );
        })}
        {undecided.length > 0 && <Tag look="warn">{`${undecided.length} undecided`}</Tag>}
        {expired && <Tag look="bad">expired</Tag>}
        {request.elsewhere !== undefined && <Tag look="gone">answered elsewhere</Tag>}
        <small>
          <Prose>{pipeline}</Prose> {runId.slice(0, 13)}, asked {timeText(askedAt)}
          {expiresAt !== undefined && !expired && `, until ${timeText(expiresAt)}`}
        </small>
      </p>
    </li>
  );
}
