// What the steps of action.yml share: the environment, messages that GitHub shows, and its API.
export const env = (name) => (process.env[name] ?? '').trim();

/** Shows a message at the job. */
export function tell(level, message) {
  const data = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::${level} title=reviewloop::${data}\n`);
}

/** Calls the API of the repository with the token of the job. */
export async function call(method, path, body) {
  const response = await fetch(
    `${env('GITHUB_API_URL')}/repos/${env('GITHUB_REPOSITORY')}${path}`,
    {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${env('REVIEWLOOP_TOKEN')}`,
        'content-type': 'application/json',
        'x-github-api-version': '2022-11-28',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    },
  );
  if (!response.ok) {
    const error = new Error(`${method} ${path} answered ${response.status}`);
    error.status = response.status;
    throw error;
  }
  return response.json();
}

/** Returns all comments of a pull request. */
export async function commentsOf(number) {
  const all = [];
  for (let page = 1; page <= 50; page += 1) {
    const some = await call('GET', `/issues/${number}/comments?per_page=100&page=${page}`);
    all.push(...some);
    if (some.length < 100) break;
  }
  return all;
}

/** The name of the review, which marks its comment. */
export const reviewName =
  env('REVIEWLOOP_NAME')
    .replace(/[^\w.-]+/g, '-')
    .replace(/-{2,}/g, '-') || 'review';

/** Returns the comment of the review. Anybody can write its mark, so only bots count. */
export function ownComment(comments) {
  return comments.find(
    ({ user, body }) => user?.type === 'Bot' && body?.startsWith(`<!-- reviewloop:${reviewName} `),
  );
}
