// The last minutes of a number, without axes. The number itself stands beside it in words.
const kWidth = 160;
const kHeight = 40;

export function Sparkline({ values, limit }: { values: readonly number[]; limit?: number | undefined }) {
  const top = Math.max(1e-9, limit ?? 0, ...values);
  const step = kWidth / Math.max(1, values.length - 1);
  const y = (value: number) => kHeight - 2 - (value / top) * (kHeight - 4);
  const line = values
    .map((value, at) => `${at === 0 ? 'M' : 'L'}${(at * step).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${kWidth} ${kHeight}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {limit !== undefined && <line className="sparkline-limit" x1={0} x2={kWidth} y1={y(limit)} y2={y(limit)} />}
      {values.length > 1 && (
        <>
          <path className="sparkline-area" d={`${line}L${kWidth} ${kHeight}L0 ${kHeight}Z`} />
          <path className="sparkline-line" d={line} />
        </>
      )}
    </svg>
  );
}
