// The mark of the project: a ring that runs out.
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0f5e63" />
      <circle cx="16" cy="16" r="9" fill="none" stroke="#fff" strokeOpacity=".28" strokeWidth="3.2" />
      <path d="M16 7a9 9 0 1 1-8.56 6.22" fill="none" stroke="#ffb454" strokeWidth="3.2" strokeLinecap="round" />
      <circle cx="16" cy="16" r="2.2" fill="#fff" />
    </svg>
  );
}
