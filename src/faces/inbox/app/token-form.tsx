import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { keepToken } from './token.js';

/** Where the application signs people in, it says so. */
export function TokenForm(props: {
  readonly wantsToken: boolean;
  readonly onToken: () => void;
}): JSX.Element {
  const [token, setToken] = useState('');
  if (!props.wantsToken)
    return (
      <>
        <h1>Inbox</h1>
        <p>Sign in to this site first, then load the page again.</p>
      </>
    );
  return (
    <>
      <h1>Inbox</h1>
      <p>
        Open the address that <code>reviewloop inbox</code> printed, or paste it or its token here.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          keepToken(token);
          props.onToken();
        }}
      >
        <label>
          Token{' '}
          <input
            type="password"
            autocomplete="off"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>{' '}
        <button type="submit">Open the inbox</button>
      </form>
    </>
  );
}
