// The lifetime of a container's items: the default with a preview of its change, the forecast, and the purge.
import { Button, Spinner } from '@fluentui/react-components';
import { SaveRegular } from '@fluentui/react-icons/svg/save';
import { type ReactNode, useEffect, useState } from 'react';
import { type Horizon, type Series, type TtlQuestion, type TtlReport, kHorizons, readTtl } from '../api/lapse';
import { readContainer, replaceContainer, withDefaultTtl } from '../api/resources';
import { useSession } from '../app/session';
import { usePoll } from '../app/use_poll';
import { useSecond } from '../app/use_server_time';
import { ForecastChart } from '../charts/forecast_chart';
import { BothTimes } from '../parts/both_times';
import { ConfirmBody } from '../parts/confirm_body';
import { ErrorBar } from '../parts/error_bar';
import { Modal } from '../parts/modal';
import { bytesText, countText, plural, rateText } from '../parts/numbers';
import { Tabs } from '../parts/tabs';
import type { ContainerView } from '../resources/container_view';
import { formatCountdown, formatDuration } from '../time/duration';
import { type TtlChoice, choiceOf, chosenTtl, ttlText } from './ttl_choice';
import { TtlFields } from './ttl_fields';
import { usePurgeRate } from './use_purge_rate';

const kHorizonTabs = kHorizons.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }));

export default function LifetimePage({ id, defaultTtl, onChanged }: ContainerView) {
  const { client, mayWrite } = useSession();
  const [choice, setChoice] = useState<TtlChoice>(() => choiceOf(defaultTtl));
  const [horizon, setHorizon] = useState<Horizon>('hour');
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [saved, setSaved] = useState<string>();
  // Somebody else has changed the default: what was chosen here before begins anew.
  useEffect(() => setChoice(choiceOf(defaultTtl)), [defaultTtl]);

  const chosen = chosenTtl(choice);
  const changes = chosen !== undefined && chosen !== defaultTtl;
  const question: TtlQuestion = changes ? { forecast: horizon, defaultTtl: chosen } : { forecast: horizon };
  const poll = usePoll(`lifetime ${JSON.stringify([id, question])}`, 1_000, (signal) =>
    readTtl(client, id.database, id.container, question, signal),
  );
  const report = useLast(poll.value);

  const save = async () => {
    setBusy(true);
    setError(undefined);
    setSaved(undefined);
    try {
      // The whole definition is replaced: it is read just before, so that nothing else of it goes back.
      const definition = await readContainer(client, id);
      await replaceContainer(client, id, withDefaultTtl(definition, chosen!));
      setSaved(`Saved: ${ttlText(chosen!)}.`);
      onChanged();
      poll.refresh();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  const preview = changes && poll.value?.would_expire ? poll.value : undefined;
  const dying = preview?.would_expire?.items ?? 0;

  return (
    <div className="lifetime-page">
      <section className="panel lifetime-policy" aria-labelledby="policy">
        <h2 id="policy">Default</h2>
        <ErrorBar error={error} onDismiss={() => setError(undefined)} />
        <TtlFields
          choice={choice}
          onChange={(value) => {
            setChoice(value);
            setSaved(undefined);
          }}
          disabled={!mayWrite}
        />
        <div className="preview" aria-live="polite" data-testid="preview">
          {changes && !preview && <Spinner size="tiny" label="Looking what it would do" />}
          {preview && (
            <>
              <p>
                <strong className={dying > 0 ? 'problem preview-number' : 'preview-number'}>{countText(dying)}</strong>
                {dying === 1 ? 'item expires at once' : 'items expire at once'}
                {dying > 0 && <span className="muted"> ({bytesText(preview.would_expire?.bytes ?? 0)}, for ever)</span>}
              </p>
              <p>
                <strong className="preview-number">{countText(preview.would_change?.items ?? 0)}</strong>
                {preview.would_change?.items === 1 ? 'item gets another deadline' : 'items get another deadline'}
              </p>
            </>
          )}
        </div>
        {mayWrite && (
          <div className="row">
            <Button
              appearance="primary"
              className={dying > 0 ? 'danger-button' : undefined}
              icon={<SaveRegular />}
              disabled={!preview || busy}
              onClick={() => (dying > 0 ? setConfirming(true) : void save())}
            >
              {dying > 0 ? `Save, and end ${plural(dying, 'item')}` : 'Save'}
            </Button>
            {changes && <Button onClick={() => setChoice(choiceOf(defaultTtl))}>Undo</Button>}
            <span role="status" className="muted">
              {saved}
            </span>
          </div>
        )}
      </section>
      <section className="panel lifetime-forecast" aria-labelledby="forecast">
        <div className="panel-head">
          <h2 id="forecast">Coming expirations</h2>
          <span className="grow" />
          <Tabs small label="How far ahead" tabs={kHorizonTabs} selected={horizon} onSelect={setHorizon} />
        </div>
        <ErrorBar error={report ? undefined : poll.error} />
        {report?.series && (
          <>
            <ForecastChart series={report.series} after={preview?.series_after} />
            <dl className="legend">
              <div>
                <dt>
                  <span className="swatch swatch-now" /> Within this {report.series.horizon}
                </dt>
                <dd>{plural(sumOf(report.series), 'item')}</dd>
              </div>
              <div>
                <dt>Later</dt>
                <dd>{plural(report.series.later.items, 'item')}</dd>
              </div>
              <div>
                <dt>Never</dt>
                <dd>{plural(report.series.never.items, 'item')}</dd>
              </div>
              {preview?.series_after && (
                <div>
                  <dt>
                    <span className="swatch swatch-after" /> With {ttlText(chosen ?? null)}
                  </dt>
                  <dd>
                    {plural(sumOf(preview.series_after), 'item')} within this {report.series.horizon}
                  </dd>
                </div>
              )}
            </dl>
          </>
        )}
      </section>
      {report && <PurgeFacts report={report} />}
      {confirming && (
        <Modal onClosed={() => setConfirming(false)}>
          <ConfirmBody
            title={`End ${plural(dying, 'item')} now?`}
            action="Save, and end them"
            onConfirm={() => void save()}
          >
            With a default of {ttlText(chosen ?? null)} they are over their time. They are gone at once and never come
            back, whatever the default becomes later.
          </ConfirmBody>
        </Modal>
      )}
    </div>
  );
}

function PurgeFacts({ report }: { report: TtlReport }) {
  const now = useSecond();
  const rate = usePurgeRate(report);
  const { backlog, purged, request_units: units } = report;
  const facts: [string, string, ReactNode][] = [
    ['Living', plural(report.live.items, 'item'), bytesText(report.live.bytes)],
    [
      'Next to go',
      report.next_expiry === null ? 'none' : `in ${formatCountdown(report.next_expiry - now)}`,
      report.next_expiry === null ? 'nothing here will expire' : <BothTimes ms={report.next_expiry * 1000} />,
    ],
    [
      'Backlog',
      plural(backlog.items, 'item'),
      backlog.items > 0
        ? `expired and gone for readers; ${bytesText(backlog.bytes)}, the oldest for ${formatDuration(backlog.oldest_s)}`
        : 'all that expired is purged',
    ],
    [
      'Purging',
      `${rateText(rate)} items/s`,
      `${countText(purged.items)} since the container was made, for ${rateText(purged.ru)} RU`,
    ],
    [
      'Left-over request units',
      units.left_over === null ? 'not limited' : `${rateText(units.left_over)} RU/s`,
      units.left_over === null ? 'the sweeper has its share of the machine' : 'which purging may spend',
    ],
  ];
  return (
    <section className="panel lifetime-purge" aria-labelledby="purge">
      <h2 id="purge">Now</h2>
      <dl className="purge-facts">
        {facts.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="purge-value">{value}</dd>
            <dd className="muted">{note}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function sumOf(series: Series): number {
  return series.items.reduce((sum, items) => sum + items, 0);
}

// The last value that was there, so that a page does not go blank while another question is asked.
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  useEffect(() => {
    if (value !== undefined) setLast(value);
  }, [value]);
  return value ?? last;
}
