/** The portcullis: five bars, two beams, three spikes. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#2f59c4" />
      <g fill="none" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
        <path d="M7.5 25.5V14a8.500 8.500 0 0 1 17 0v11.500" />
        <path d="M12 9.500V22M16 7.500V22M20 9.500V22M8 13.500h16M8 18.500h16" />
      </g>
      <path
        d="M10.800 21.500h2.400L12 25zM14.800 21.500h2.400L16 25zM18.800 21.500h2.400L20 25z"
        fill="#fff"
      />
    </svg>
  );
}
