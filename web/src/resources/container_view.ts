// What every tab of a container is given.
import type { TtlReport } from '../api/lapse';
import type { ContainerId } from '../api/resources';
import type { JsonObject } from '../json/lossless_json';
import type { DefaultTtl } from '../lifetime/lifetime';

export interface ContainerView {
  // With its rid. A container that takes its place gets a view of its own.
  id: ContainerId;
  // Both are read every two seconds.
  definition: JsonObject;
  report: TtlReport;
  defaultTtl: DefaultTtl;
  // To be called when the page has changed something of the container.
  onChanged: () => void;
}
