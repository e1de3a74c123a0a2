/** Escapes line ends in data that goes into a header or a log line. */
export function oneLine(text: string, longest = 200): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
