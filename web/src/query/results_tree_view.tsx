// Results as a tree. A branch is drawn when it is opened, and long ones in part: content can be of any size.
import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { ExactNumber, type Json, isObject, member, textOf } from '../json/lossless_json';

const kBranchMax = 200;
const kTextMax = 2_000;
const kIdMax = 100;

export function ResultsTreeView({ results }: { results: readonly Json[] }) {
  return (
    <div className="results-scroll tree-view mono" tabIndex={0} role="region" aria-label="Results as a tree">
      <Branch entries={results.map((result, at) => [String(at), result])} openAtFirst={results.length <= 3} />
    </div>
  );
}

function Branch({ entries, openAtFirst = false }: { entries: [string, Json][]; openAtFirst?: boolean }) {
  const [shown, setShown] = useState(kBranchMax);
  return (
    <ul>
      {entries.slice(0, shown).map(([name, value]) => (
        <Node key={name} name={name} value={value} openAtFirst={openAtFirst} />
      ))}
      {entries.length > shown && (
        <li>
          <Button size="small" appearance="subtle" onClick={() => setShown(shown + kBranchMax)}>
            {(entries.length - shown).toLocaleString('en-US')} more
          </Button>
        </li>
      )}
    </ul>
  );
}

function Node({ name, value, openAtFirst }: { name: string; value: Json; openAtFirst: boolean }) {
  const [open, setOpen] = useState(openAtFirst);
  const entries = entriesOf(value);
  if (!entries) {
    return (
      <li>
        <span className="tree-name">
          <bdi>{name}</bdi>
        </span>
        : <Leaf value={value} />
      </li>
    );
  }
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="tree-name">
            <bdi>{name}</bdi>
          </span>{' '}
          <span className="muted">
            {Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`} <bdi>{idOf(value)}</bdi>
          </span>
        </summary>
        {open && <Branch entries={entries} />}
      </details>
    </li>
  );
}

function Leaf({ value }: { value: Json }) {
  const [whole, setWhole] = useState(false);
  if (typeof value !== 'string')
    return <span className="tree-number">{value instanceof ExactNumber ? value.text : String(value)}</span>;
  const text = whole ? value : value.slice(0, kTextMax);
  return (
    <span className="tree-string">
      <bdi>{JSON.stringify(text)}</bdi>
      {!whole && value.length > kTextMax && (
        <Button size="small" appearance="subtle" onClick={() => setWhole(true)}>
          all {value.length.toLocaleString('en-US')} characters
        </Button>
      )}
    </span>
  );
}

// What a branch is known by.
function idOf(value: Json): string {
  return (textOf(member(value, 'id')) ?? '').slice(0, kIdMax);
}

function entriesOf(value: Json): [string, Json][] | undefined {
  if (Array.isArray(value)) return value.map((element, at) => [String(at), element]);
  return isObject(value) ? [...value] : undefined;
}
