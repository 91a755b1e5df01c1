// Deleting what cannot be brought back: the name has to be typed.
import {
  Button,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogTitle,
  Field,
  Input,
} from '@fluentui/react-components';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorBar } from './error_bar';
import { Modal, useClose } from './modal';

interface Props {
  title: string;
  name: string;
  children: ReactNode;
  action: string;
  onConfirm: () => Promise<void>;
  // When it is confirmed and the dialog is gone.
  onDone: () => void;
  onClosed: () => void;
}

export function ConfirmNameDialog({ onClosed, ...props }: Props) {
  return (
    <Modal onClosed={onClosed}>
      <ConfirmNameForm {...props} />
    </Modal>
  );
}

function ConfirmNameForm({ title, name, children, action, onConfirm, onDone }: Omit<Props, 'onClosed'>) {
  const close = useClose();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      close(onDone);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <DialogBody>
        <DialogTitle>{title}</DialogTitle>
        <DialogContent className="stack">
          <ErrorBar error={error} />
          {children}
          <Field
            label={
              <>
                Type <strong className="wrap-anywhere">{name}</strong> to confirm
              </>
            }
          >
            <Input value={typed} onChange={(_, data) => setTyped(data.value)} autoComplete="off" spellCheck={false} />
          </Field>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => close()}>Cancel</Button>
          <Button
            className="danger-button"
            appearance="primary"
            type="submit"
            disabled={typed !== name}
            disabledFocusable={busy}
          >
            {action}
          </Button>
        </DialogActions>
      </DialogBody>
    </form>
  );
}
