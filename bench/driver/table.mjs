// The table at the end: one row for each figure.
//
// A row: {figure, unit, lapse, yardstick?, ratio?, value?}. `ratio` ({min or max, aim?}) is what is
// wanted of lapse / yardstick, `value` what is wanted of the figure itself.

function number(value) {
  if (value === undefined) return '';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}

function wantedText(row) {
  const wanted = row.ratio ?? row.value;
  if (!wanted) return '';
  const bound = wanted.min === undefined ? `<= ${wanted.max}` : `>= ${wanted.min}`;
  return wanted.aim === undefined ? bound : `${bound} (${wanted.aim})`;
}

export function ratioOf(row) {
  return row.yardstick ? row.lapse / row.yardstick : undefined;
}

// 'yes', 'no', or empty when nothing in particular is wanted.
export function verdictOf(row) {
  const wanted = row.ratio ?? row.value;
  if (!wanted) return '';
  const measured = row.ratio ? ratioOf(row) : row.lapse;
  const good = wanted.min === undefined ? measured <= wanted.max : measured >= wanted.min;
  return good ? 'yes' : 'no';
}

const kColumns = [
  ['figure', (row) => row.figure],
  ['Lapse', (row) => `${number(row.lapse)} ${row.unit}`.trim()],
  ['yardstick', (row) => (row.yardstick === undefined ? '' : `${number(row.yardstick)} ${row.unit}`.trim())],
  ['ratio', (row) => number(ratioOf(row))],
  ['wanted (aim)', wantedText],
  ['ok', verdictOf],
];

export function formatTable(rows) {
  const cells = [kColumns.map(([title]) => title), ...rows.map((row) => kColumns.map(([, cell]) => cell(row)))];
  const widths = kColumns.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  const lines = cells.map((line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '));
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}
