// In the place of a database or container that is not there.
import { type Route, hashOf } from '../app/router';

interface Props {
  kind: 'database' | 'container';
  name: string;
  // Where to go from here.
  up: Route;
  upName: string;
}

export function GonePage({ kind, name, up, upName }: Props) {
  return (
    <div className="page">
      <div className="page-head">
        <div className="page-title">
          <p className="eyebrow">
            <a className="text-link" href={hashOf(up)}>
              {upName}
            </a>
          </p>
          <h1 className="wrap-anywhere">{name}</h1>
        </div>
      </div>
      <p role="status">
        There is no such {kind} now: it was deleted, or its name is another. If somebody makes it again, this page shows
        it.
      </p>
    </div>
  );
}
