// What every tab of a container is given.
import type { TtlReport } from '../api/lapse';
import type { ContainerId } from '../api/resources';
import type { JsonObject } from '../json/lossless_json';
import type { DefaultTtl } from '../lifetime/lifetime';

export interface ContainerView {
  id: ContainerId;
  definition: JsonObject;
  // Read every two seconds.
  report: TtlReport;
  // The default in force now; `definition` may be older.
  defaultTtl: DefaultTtl;
  // To be called when the page has changed something of the container.
  onChanged: () => void;
}
