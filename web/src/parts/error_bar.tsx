// An error where it happened, with what to do about it. Screen readers say it at once.
import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { explain } from '../api/errors';

export function ErrorBar({ error, onDismiss }: { error: unknown; onDismiss?: () => void }) {
  if (error === undefined || error === null) return null;
  return (
    <MessageBar intent="error" layout="multiline" politeness="assertive">
      <MessageBarBody className="wrap-anywhere">{explain(error)}</MessageBarBody>
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
