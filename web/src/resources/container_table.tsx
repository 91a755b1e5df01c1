// Containers with their numbers, as a table of links.
import { Badge } from '@fluentui/react-components';
import type { ContainerStats } from '../api/lapse';
import { hashOf } from '../app/router';
import { useSecond } from '../app/use_server_time';
import { ttlText } from '../lifetime/ttl_choice';
import { bytesText, countText } from '../parts/numbers';
import { formatCountdown } from '../time/duration';

interface Props {
  containers: ContainerStats[];
  caption: string;
  withDatabase: boolean;
}

export function ContainerTable({ containers, caption, withDatabase }: Props) {
  const now = useSecond();
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table className="data-table container-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Container</th>
            <th scope="col">Time to live</th>
            <th scope="col" className="number">
              Items
            </th>
            <th scope="col" className="number size-column">
              Size
            </th>
            <th scope="col" className="number minute-column">
              Next minute
            </th>
            <th scope="col" className="number expiry-column">
              Next expiry
            </th>
          </tr>
        </thead>
        <tbody>
          {containers.map((stats) => (
            <tr key={`${stats.database}\n${stats.container}`}>
              <th scope="row">
                <a
                  className="text-link wrap-anywhere"
                  href={hashOf({
                    page: 'container',
                    database: stats.database,
                    container: stats.container,
                    tab: 'items',
                  })}
                >
                  {withDatabase && <span className="muted">{stats.database} / </span>}
                  {stats.container}
                </a>
              </th>
              <td>
                <TtlBadge defaultTtl={stats.defaultTtl} />
              </td>
              <td className="number">{countText(stats.live.items)}</td>
              <td className="number size-column">{bytesText(stats.live.bytes)}</td>
              <td className="number minute-column">
                {stats.expiring.minute.items > 0 ? countText(stats.expiring.minute.items) : '–'}
              </td>
              <td className="number expiry-column">
                {stats.next_expiry === null ? '–' : `in ${formatCountdown(stats.next_expiry - now)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function TtlBadge({ defaultTtl }: { defaultTtl: number | null }) {
  return (
    <Badge
      className="ttl-badge"
      appearance="tint"
      color={defaultTtl === null ? 'subtle' : defaultTtl === -1 ? 'informative' : 'brand'}
    >
      {ttlText(defaultTtl)}
    </Badge>
  );
}
