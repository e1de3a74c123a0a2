/**
 * Writes a time of Trivy's in one way: its command line prints it as the database has it, its
 * server in UTC and with trailing zeros.
 */
export function utcOf(time: string | null | undefined): string | null {
  if (!time) return null;
  const parts = UTC.exec(time) ?? UTC.exec(inUtc(time));
  if (!parts) return time;
  const fraction = (parts[2] ?? '').replace(/0+$/, '');
  return `${parts[1]}${fraction === '' ? '' : `.${fraction}`}Z`;
}

const UTC = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/;

function inUtc(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
