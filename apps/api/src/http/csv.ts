/**
 * Lines of CSV (RFC 4180). Spreadsheets take a text that begins like a formula for one, and names
 * of packages and titles are written by others: such a text gets an apostrophe, as OWASP advises.
 * Numbers are left as they are.
 */
type CsvValue = string | number | boolean | null | readonly string[];

/** Blanks before it are skipped; the wide forms are those of East Asian keyboards. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : value.join('; ');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll(/[\r\n]+/g, ' ').replaceAll('"', '""')}"`;
}
