// An error where it happened, with what to do about it. Screen readers say it at once.
import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { useRef } from 'react';
import { UnreachableError, explain } from '../api/errors';
import { useReconnects } from '../app/session';

export function ErrorBar({ error, onDismiss }: { error: unknown; onDismiss?: () => void }) {
  const reconnects = useReconnects();
  const seen = useRef({ error, reconnects });
  if (seen.current.error !== error) seen.current = { error, reconnects };
  if (error === undefined || error === null) return null;
  const isPast = error instanceof UnreachableError && reconnects > seen.current.reconnects;
  return (
    <MessageBar intent={isPast ? 'warning' : 'error'} layout="multiline" politeness="assertive">
      <MessageBarBody className="wrap-anywhere">
        {isPast ? 'The server did not answer then. It does now: try again.' : explain(error)}
      </MessageBarBody>
      {onDismiss && (
        <MessageBarActions
          containerAction={
            <Button appearance="transparent" aria-label="Dismiss" icon={<DismissRegular />} onClick={onDismiss} />
          }
        />
      )}
    </MessageBar>
  );
}
