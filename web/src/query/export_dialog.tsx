// An export on its way: how far it is, and a way to stop it.
import { Button, DialogActions, DialogBody, DialogContent, DialogTitle, ProgressBar } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { type ContainerId, queryItems } from '../api/resources';
import { useSession } from '../app/session';
import { ErrorBar } from '../parts/error_bar';
import { Modal, useClose } from '../parts/modal';
import { plural } from '../parts/numbers';
import { type ExportForm, exportResults } from './export_results';

interface Props {
  id: ContainerId;
  sql: string;
  form: ExportForm;
  // How many results are to be expected; undefined: nobody knows.
  expected: number | undefined;
  onClosed: () => void;
}

const kPageItems = 1_000;
const kTypes: Record<ExportForm, string> = { json: 'application/json', csv: 'text/csv;charset=utf-8' };

export function ExportDialog({ onClosed, ...props }: Props) {
  return (
    <Modal onClosed={onClosed}>
      <ExportProgress {...props} />
    </Modal>
  );
}

function ExportProgress({ id, sql, form, expected }: Omit<Props, 'onClosed'>) {
  const close = useClose();
  const { client } = useSession();
  const [written, setWritten] = useState(0);
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState(false);
  const { database, container } = id;

  useEffect(() => {
    const control = new AbortController();
    const ask = (continuation: string | null) =>
      queryItems(client, { database, container }, sql, { continuation, max: kPageItems, signal: control.signal });
    exportResults(form, ask, setWritten).then(
      (parts) => {
        if (control.signal.aborted) return;
        save(new Blob(parts, { type: kTypes[form] }), `${container}.${form}`);
        setDone(true);
      },
      (problem: unknown) => {
        if (!control.signal.aborted) setError(problem);
      },
    );
    return () => control.abort();
  }, [client, database, container, sql, form]);

  const share = expected ? Math.min(1, written / expected) : undefined;
  return (
    <DialogBody>
      <DialogTitle>{done ? 'Exported' : `Exporting ${form.toUpperCase()}`}</DialogTitle>
      <DialogContent className="stack">
        <ErrorBar error={error} />
        {!error && <ProgressBar aria-label="Progress of the export" value={done ? 1 : share} />}
        <p role="status">
          {plural(written, 'result')}
          {done ? ` in ${container}.${form}, which your browser has saved.` : ' so far'}
        </p>
      </DialogContent>
      <DialogActions>
        <Button appearance={done ? 'primary' : 'secondary'} onClick={() => close()}>
          {done || error ? 'Close' : 'Cancel'}
        </Button>
      </DialogActions>
    </DialogBody>
  );
}

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[^\w.-]+/g, '_');
  link.click();
  // The browser has taken it by the next turn of its loop.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
