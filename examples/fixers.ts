/** Fixers repair what needs no guess, before `address` runs. Their result is reviewed too. */
import { definePipeline, textOutput } from 'reviewloop';
import { htmlCriteria } from 'reviewloop/criteria';

const page = `<!doctype html>
<html>
<head><title>Login</title></head>
<body>
  <h1>Login</h1>
  <label>Name</label> <input name="user">
  <img src="logo.svg">
</body>
</html>
`;

const pages = definePipeline({
  produce: async (_task: string) => ({
    ...textOutput(page, 'login.html'),
    artifacts: [{ type: 'mockup', path: 'login.html', content: page }],
  }),
  reviewers: htmlCriteria({ language: 'en' }),
});

pages.on('fix-apply', ({ criterion }) => console.log(`fixed: ${criterion}`));

const outcome = await pages.run('a login page');
console.log(`${outcome.status} (${outcome.code}) after ${outcome.reviews.length} reviews`);
for (const gap of outcome.reviews.at(-1)?.gaps ?? [])
  console.log(
    `left: ${gap.location?.file}:${gap.location?.line} ${gap.severity} ${gap.description}`,
  );
console.log(outcome.output?.artifacts[0]?.content);
