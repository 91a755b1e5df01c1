// The whole server at a glance, live. Two small requests every two seconds, while the page is visible; with very many
// containers their numbers come every ten.
import { MessageBar, MessageBarBody, Spinner } from '@fluentui/react-components';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ContainerStats, type Overview, kStatsMax, readStats } from '../api/lapse';
import { hashOf } from '../app/router';
import { useSession } from '../app/session';
import { usePoll } from '../app/use_poll';
import { useSecond } from '../app/use_server_time';
import { Sparkline } from '../charts/sparkline';
import { BothTimes } from '../parts/both_times';
import { ErrorBar } from '../parts/error_bar';
import { bytesText, countText, millisecondsText, plural, rateText } from '../parts/numbers';
import { ContainerTable } from '../resources/container_table';
import { formatCountdown, formatDuration } from '../time/duration';
import { type Rates, ratesBetween } from './rates';

const kPollMs = 2_000;
// Where the containers take more than one request.
const kManyPollMs = 10_000;
// Two minutes.
const kPoints = 60;
const kShown = 8;
// Beyond so many pages of containers the page does not look for the largest.
const kStatsPages = 10;

export default function OverviewPage() {
  const { client, names } = useSession();
  const history = useRef<{ last: Overview | undefined; rates: Rates[] }>({ last: undefined, rates: [] });
  const overview = usePoll('overview', kPollMs, async (signal) => {
    const { value } = await client.lapse<Overview>('GET', 'overview', { signal });
    const known = history.current;
    const rates = known.last && ratesBetween(known.last, value);
    if (known.last && value.uptime_ms < known.last.uptime_ms) known.rates = [];
    if (rates) known.rates = [...known.rates, rates].slice(-kPoints);
    known.last = value;
    return value;
  });
  const [isMany, setMany] = useState(false);
  const stats = usePoll('overview containers', isMany ? kManyPollMs : kPollMs, async (signal) => {
    const containers: ContainerStats[] = [];
    let after: string | null = null;
    for (let page = 0; page < kStatsPages; page += 1) {
      const answer = await readStats(client, kStatsMax, after, signal);
      containers.push(...answer.containers);
      after = answer.next;
      if (after === null) break;
    }
    setMany(containers.length > kStatsMax);
    return containers;
  });

  const sight =
    overview.value &&
    stats.value &&
    [overview.value.databases, ...stats.value.map(({ database, container }) => `${database}\n${container}`)].join('\n');
  useEffect(() => {
    if (sight !== undefined) names.notice('overview', sight);
  }, [names, sight]);

  if (!overview.value)
    return (
      <div className="page">
        {overview.error ? (
          <ErrorBar error={overview.error} />
        ) : (
          <Spinner className="page-spinner" label="Asking the server" />
        )}
      </div>
    );
  const now = overview.value;
  const containers = stats.value ?? [];
  const largest = [...containers].sort((a, b) => b.live.bytes - a.live.bytes).slice(0, kShown);
  const next = containers
    .filter((container) => container.next_expiry !== null)
    .sort((a, b) => a.next_expiry! - b.next_expiry!)
    .slice(0, kShown);

  return (
    <div className="page">
      <div className="page-head">
        <div>
          <p className="eyebrow">Overview</p>
          <h1>{location.host}</h1>
        </div>
        <span className="muted">
          lapsed {now.version}, up{' '}
          {formatDuration(Math.floor(now.uptime_ms / 60_000) * 60) === '0 s'
            ? 'for less than a minute'
            : `for ${formatDuration(Math.floor(now.uptime_ms / 60_000) * 60)}`}
        </span>
      </div>
      {now.writes !== 'ok' && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>
            {now.writes === 'refused' ? 'Writes are refused' : 'The disk does not answer'}: {now.reason}
          </MessageBarBody>
        </MessageBar>
      )}
      {now.clock.held && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            The wall clock jumped ahead and is not followed: nothing is purged until somebody runs “lapse clock accept”.
          </MessageBarBody>
        </MessageBar>
      )}
      <RateTiles overview={now} rates={history.current.rates} />
      <FactTiles overview={now} />
      <div className="two-panels">
        <section className="panel" aria-labelledby="largest">
          <h2 id="largest">Largest containers</h2>
          {largest.length > 0 ? (
            <ContainerTable containers={largest} caption="Containers by their size" withDatabase />
          ) : (
            <p className="muted">No container yet.</p>
          )}
        </section>
        <section className="panel" aria-labelledby="next">
          <h2 id="next">Next expirations</h2>
          <NextExpirations containers={next} />
        </section>
      </div>
    </div>
  );
}

function RateTiles({ overview, rates }: { overview: Overview; rates: readonly Rates[] }) {
  const last = rates.at(-1);
  const provisioned = overview.request_units.provisioned;
  const times = useMemo(() => rates.map((rate) => rate.at / 1000), [rates]);
  const line = (of: (rate: Rates) => number, limit?: number) => (
    <Sparkline times={times} values={rates.map(of)} span={(kPoints * kPollMs) / 1000} limit={limit} />
  );
  return (
    <div className="tiles" role="group" aria-label="Now">
      <Tile
        name="Requests"
        value={last ? rateText(last.requests) : '–'}
        unit="a second"
        note={`${countText(overview.requests.answered)} since the start`}
      >
        {line((rate) => rate.requests)}
      </Tile>
      <Tile
        name="Request units"
        value={last ? rateText(last.requestUnits) : '–'}
        unit="RU/s"
        note={provisioned === null ? 'none provisioned' : `of ${countText(provisioned)} provisioned`}
      >
        {line((rate) => rate.requestUnits, provisioned ?? undefined)}
      </Tile>
      <Tile
        name="Throttled"
        value={last ? rateText(last.throttled) : '–'}
        unit="a second"
        note={`${countText(overview.requests.throttled)} since the start`}
        alarm={(last?.throttled ?? 0) > 0}
      >
        {line((rate) => rate.throttled)}
      </Tile>
      <Tile
        name="Latency, median"
        value={last?.p50 == null ? '–' : millisecondsText(last.p50)}
        unit=""
        note={last?.p99 == null ? 'no requests just now' : `99 of 100 within ${millisecondsText(last.p99)}`}
      >
        {line((rate) => rate.p50 ?? 0)}
      </Tile>
    </div>
  );
}

interface TileProps {
  name: string;
  value: string;
  unit: string;
  note: string;
  alarm?: boolean;
  children?: React.ReactNode;
}

function Tile({ name, value, unit, note, alarm = false, children }: TileProps) {
  return (
    <div className="tile">
      <div className="tile-name">{name}</div>
      <div className={`tile-value ${alarm ? 'problem' : ''}`}>
        {value} <span className="tile-unit">{unit}</span>
      </div>
      {children}
      <div className="muted tile-note">{note}</div>
    </div>
  );
}

function FactTiles({ overview }: { overview: Overview }) {
  const { storage, memory } = overview;
  const facts: [string, string][] = [
    ['Databases', countText(overview.databases)],
    ['Containers', countText(overview.containers)],
    ['On disk', storage.disk_bytes === null ? 'unknown' : bytesText(storage.disk_bytes)],
    ['Memory', bytesText(memory.resident_bytes)],
    ['Store caches', storage.memory_bytes === null ? 'unknown' : bytesText(storage.memory_bytes)],
    ['Connections', countText(overview.connections)],
    ['Server errors', countText(overview.requests.by_status['5xx'] ?? 0)],
  ];
  return (
    <dl className="fact-strip">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function NextExpirations({ containers }: { containers: readonly ContainerStats[] }) {
  const now = useSecond();
  if (containers.length === 0) return <p className="muted">Nothing that lives now will expire.</p>;
  return (
    <ol className="next-list">
      {containers.map((stats) => (
        <li key={`${stats.database}\n${stats.container}`}>
          <a
            className="text-link wrap-anywhere"
            href={hashOf({ page: 'container', database: stats.database, container: stats.container, tab: 'lifetime' })}
          >
            <span className="muted">{stats.database} / </span>
            {stats.container}
          </a>
          <span className="grow" />
          <span className="next-when">in {formatCountdown(stats.next_expiry! - now)}</span>
          <span className="muted next-note">
            {plural(stats.expiring.hour.items, 'item')} within the hour
            <BothTimes ms={stats.next_expiry! * 1000} />
          </span>
        </li>
      ))}
    </ol>
  );
}
