// Deleting what cannot be brought back: the name has to be typed.
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
} from '@fluentui/react-components';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorBar } from './error_bar';

interface Props {
  title: string;
  name: string;
  children: ReactNode;
  action: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

export function ConfirmNameDialog({ title, name, children, action, onConfirm, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog open onOpenChange={(_, data) => !data.open && onClose()}>
      <DialogSurface>
        <form onSubmit={(event) => void submit(event)}>
          <DialogBody>
            <DialogTitle>{title}</DialogTitle>
            <DialogContent className="stack">
              <ErrorBar error={error} />
              {children}
              <Field label={<>Type <strong className="wrap-anywhere">{name}</strong> to confirm</>}>
                <Input value={typed} onChange={(_, data) => setTyped(data.value)} autoComplete="off" spellCheck={false} />
              </Field>
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button className="danger-button" appearance="primary" type="submit" disabled={typed !== name || busy}>
                {action}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
