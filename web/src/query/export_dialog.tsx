// An export on its way: how far it is, a way to stop it, and the file at its end.
//
// The file is saved by a click of its own. Browsers hold back a file that a page saves by itself some seconds after the
// last click, and the page does not learn of it.
import { Button, DialogActions, DialogBody, DialogContent, DialogTitle, ProgressBar } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download';
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
  const [file, setFile] = useState<string>();
  const done = file !== undefined;

  useEffect(() => {
    const control = new AbortController();
    let address: string | undefined;
    const ask = (continuation: string | null) =>
      queryItems(client, id, sql, { continuation, max: kPageItems, signal: control.signal });
    exportResults(form, ask, setWritten).then(
      (parts) => {
        if (control.signal.aborted) return;
        address = URL.createObjectURL(new Blob(parts, { type: kTypes[form] }));
        setFile(address);
      },
      (problem: unknown) => {
        if (!control.signal.aborted) setError(problem);
      },
    );
    return () => {
      control.abort();
      // A file whose saving has begun is saved all the same.
      if (address) URL.revokeObjectURL(address);
    };
  }, [client, id, sql, form]);

  const name = `${id.container.replace(/[^\w.-]+/g, '_')}.${form}`;
  const share = expected ? Math.min(1, written / expected) : undefined;
  return (
    <DialogBody>
      <DialogTitle>{done ? 'The export is ready' : `Exporting ${form.toUpperCase()}`}</DialogTitle>
      <DialogContent className="stack">
        <ErrorBar error={error} />
        {!error && <ProgressBar aria-label="Progress of the export" value={done ? 1 : share} />}
        <p role="status">
          {plural(written, 'result')}
          {done ? ` in ${name}` : ' so far'}
        </p>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => close()}>{done || error ? 'Close' : 'Cancel'}</Button>
        {done && (
          <Button as="a" appearance="primary" icon={<ArrowDownloadRegular />} href={file} download={name}>
            Save file
          </Button>
        )}
      </DialogActions>
    </DialogBody>
  );
}
