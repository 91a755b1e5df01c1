// The inside of a small dialog that asks before something is done that cannot be undone.
import { Button, DialogActions, DialogBody, DialogContent, DialogTitle } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useClose } from './modal';

interface Props {
  title: string;
  action: string;
  onConfirm: () => void;
  children: ReactNode;
}

export function ConfirmBody({ title, action, onConfirm, children }: Props) {
  const close = useClose();
  return (
    <DialogBody>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent className="wrap-anywhere">{children}</DialogContent>
      <DialogActions>
        <Button onClick={() => close()}>Cancel</Button>
        <Button className="danger-button" appearance="primary" onClick={() => close(onConfirm)}>
          {action}
        </Button>
      </DialogActions>
    </DialogBody>
  );
}
