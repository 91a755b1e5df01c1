// The first page: the account key is entered once and kept for this tab.
import { Button, Field, Input, MessageBar, MessageBarBody, Spinner } from '@fluentui/react-components';
import { KeyRegular } from '@fluentui/react-icons/svg/key';
import { type FormEvent, useState } from 'react';
import { explain } from '../api/errors';
import { Mark } from '../parts/icons';

interface Props {
  // Whether the server has the key that every emulator has.
  offersWellKnownKey: boolean;
  reachable: boolean;
  onSignIn: (key: string | null) => Promise<void>;
}

export function SignIn({ offersWellKnownKey, reachable, onSignIn }: Props) {
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const enter = async (chosen: string | null) => {
    setBusy(true);
    setError(undefined);
    try {
      await onSignIn(chosen);
    } catch (problem) {
      setError(explain(problem));
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter(key);
  };
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <div className="sign-in-title">
          <Mark size={44} />
          <div>
            <h1>Lapse</h1>
            <p className="muted">Data Explorer of {location.host}</p>
          </div>
        </div>
        {!reachable && (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>The server does not answer. Start it; this page notices.</MessageBarBody>
          </MessageBar>
        )}
        <form className="stack" onSubmit={submit}>
          <Field
            label="Account key"
            hint="A read-write or a read-only key. It signs requests in this page, is kept for this tab alone, and is never sent."
            {...(error ? { validationMessage: error, validationState: 'error' as const } : {})}
          >
            <Input
              type="password"
              value={key}
              onChange={(_, data) => setKey(data.value)}
              contentBefore={<KeyRegular />}
              autoComplete="off"
              spellCheck={false}
              autoFocus
            />
          </Field>
          <Button
            appearance="primary"
            type="submit"
            disabled={busy || key.trim() === ''}
            icon={busy ? <Spinner size="tiny" /> : undefined}
          >
            Sign in
          </Button>
        </form>
        {offersWellKnownKey && (
          <div className="stack sign-in-offer">
            <span className="muted">This server has the well-known key of the emulators.</span>
            <Button onClick={() => void enter(null)} disabled={busy}>
              Use the well-known key
            </Button>
          </div>
        )}
      </div>
    </main>
  );
}
