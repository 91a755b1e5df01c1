// The definition of a container: what is fixed, the throughput, and the indexing policy.
import { Button, Field, Input } from '@fluentui/react-components';
import { Suspense, useEffect, useRef, useState } from 'react';
import { partitionKeyPaths } from '../api/partition_key';
import { readContainer, readThroughput, replaceContainer, replaceThroughput } from '../api/resources';
import { useReconnects, useSession } from '../app/session';
import { type JsonObject, JsonError, member, parseObject, printJson, textOf } from '../json/lossless_json';
import { ErrorBar } from '../parts/error_bar';
import { lazily } from '../parts/lazily';
import { readThroughputFields } from './container_form';
import type { ContainerView } from './container_view';

const CodeEditor = lazily(() => import('../parts/code_editor'));

export default function SettingsPage({ id, definition, report, onChanged }: ContainerView) {
  return (
    <div className="settings">
      <FixedPart definition={definition} />
      <ThroughputPart
        self={textOf(definition.get('_self')) ?? ''}
        isLimited={report.request_units.kind !== 'none'}
        onChanged={onChanged}
      />
      <PolicyPart id={id} definition={definition} onChanged={onChanged} />
    </div>
  );
}

function FixedPart({ definition }: { definition: JsonObject }) {
  const keys = member(definition.get('uniqueKeyPolicy'), 'uniqueKeys');
  const unique = Array.isArray(keys) ? keys.map((key) => printJson(member(key, 'paths') ?? [])) : [];
  return (
    <section className="panel" aria-labelledby="fixed">
      <h2 id="fixed">Fixed when it was made</h2>
      <dl className="facts">
        <dt>Partition key</dt>
        <dd className="mono wrap-anywhere">{partitionKeyPaths(definition).join('  ')}</dd>
        <dt>Unique keys</dt>
        <dd className="mono wrap-anywhere">{unique.length > 0 ? unique.join('  ') : 'none'}</dd>
        <dt>Resource id</dt>
        <dd className="mono">{textOf(definition.get('_rid'))}</dd>
      </dl>
    </section>
  );
}

interface ThroughputProps {
  self: string;
  // The API names a throughput for every container, also where requests are held to none.
  isLimited: boolean;
  onChanged: () => void;
}

function ThroughputPart({ self, isLimited, onChanged }: ThroughputProps) {
  const { client, mayWrite } = useSession();
  const [offer, setOffer] = useState<Awaited<ReturnType<typeof readThroughput>>>();
  const [ru, setRu] = useState('');
  const [error, setError] = useState<unknown>();
  const [saved, setSaved] = useState(false);
  const isKnown = offer !== undefined;
  const reconnects = useReconnects();
  // Again when the server is back, if it could not be read before.
  useEffect(() => {
    if (isKnown) return;
    let ended = false;
    setError(undefined);
    readThroughput(client, self).then(
      (read) => {
        if (ended) return;
        setOffer(read);
        setRu(String(read?.throughput.ru ?? ''));
      },
      (problem: unknown) => !ended && setError(problem),
    );
    return () => {
      ended = true;
    };
  }, [client, self, isKnown, reconnects]);
  if (!offer) {
    return (
      <section className="panel" aria-labelledby="throughput">
        <h2 id="throughput">Throughput</h2>
        <ErrorBar error={error} />
        <p className="muted">
          {offer === null ? 'It shares the throughput of its database, or has none.' : error ? '' : 'Reading'}
        </p>
      </section>
    );
  }
  const change = (value: string) => {
    setRu(value);
    setSaved(false);
    setError(undefined);
  };
  const { problem, throughput } = readThroughputFields(offer.throughput.kind, ru);
  const save = async () => {
    setSaved(false);
    setError(undefined);
    try {
      await replaceThroughput(client, offer.offer, throughput!.ru);
      setOffer(await readThroughput(client, self));
      setSaved(true);
      onChanged();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <section className="panel" aria-labelledby="throughput">
      <h2 id="throughput">Throughput</h2>
      <ErrorBar error={error} />
      {!isLimited && <p className="muted">Requests are not limited now.</p>}
      <div className="inline-form">
        <Field
          label={offer.throughput.kind === 'manual' ? 'Manual, RU/s' : 'Autoscale, RU/s at the most'}
          validationMessage={problem}
        >
          <Input inputMode="numeric" value={ru} disabled={!mayWrite} onChange={(_, data) => change(data.value)} />
        </Field>
        {mayWrite && (
          <Button disabled={!!problem || (isLimited && throughput?.ru === offer.throughput.ru)} onClick={() => void save()}>
            Save throughput
          </Button>
        )}
        {saved && <span role="status">Saved.</span>}
      </div>
    </section>
  );
}

function PolicyPart({ id, definition, onChanged }: Pick<ContainerView, 'id' | 'definition' | 'onChanged'>) {
  const { client, mayWrite } = useSession();
  const stored = policyText(definition);
  const [text, setText] = useState(stored);
  // Where nothing was typed, a change by somebody else is shown.
  const before = useRef(stored);
  useEffect(() => {
    setText((old) => (old === before.current ? stored : old));
    before.current = stored;
  }, [stored]);
  const [error, setError] = useState<unknown>();
  const [saved, setSaved] = useState(false);
  const save = async () => {
    setSaved(false);
    setError(undefined);
    try {
      const policy = parseObject(text);
      // The whole definition is replaced: it is read just before, so that nothing else of it goes back.
      const changed: JsonObject = new Map(await readContainer(client, id));
      changed.set('indexingPolicy', policy);
      const written = await replaceContainer(client, id, changed);
      setText(policyText(written));
      setSaved(true);
      onChanged();
    } catch (thrown) {
      setError(
        thrown instanceof JsonError ? new Error(`${thrown.message} (at character ${thrown.position + 1}).`) : thrown,
      );
    }
  };
  return (
    <section className="panel" aria-labelledby="policy">
      <h2 id="policy">Indexing policy</h2>
      <ErrorBar error={error} onDismiss={() => setError(undefined)} />
      <Suspense fallback={<pre className="mono">{stored}</pre>}>
        <CodeEditor
          kind="json"
          label="Indexing policy"
          value={text}
          onChange={(value) => {
            setText(value);
            setSaved(false);
          }}
          readOnly={!mayWrite}
          height="18rem"
        />
      </Suspense>
      {mayWrite && (
        <div className="row">
          <Button disabled={text === stored} onClick={() => void save()}>
            Save policy
          </Button>
          {saved && <span role="status">Saved.</span>}
        </div>
      )}
    </section>
  );
}

function policyText(definition: JsonObject): string {
  return printJson(definition.get('indexingPolicy') ?? new Map(), 2);
}
