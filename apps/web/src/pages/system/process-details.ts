import type { Format } from '../../i18n/format.ts';

/** Details that a process reports, in English; only units are localized. */
export function describeDetails(detail: Record<string, unknown>, format: Units): string[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => describeDetail(name, value, format));
}

type Units = Pick<Format, 'number' | 'bytes' | 'duration' | 'dateTime'>;

function describeDetail(name: string, value: unknown, format: Units): string {
  if (name === 'message') return String(value);
  if (Array.isArray(value)) return `${inWords(name)} ${value.join(', ')}`;
  if (typeof value === 'object' && value !== null)
    return `${inWords(name)} (${describeDetails({ ...value }, format).join(', ')})`;
  if (typeof value === 'boolean') return value ? inWords(name) : `not ${inWords(name)}`;
  if (name.endsWith('_at')) return `${inWords(name)} ${format.dateTime(String(value))}`;
  if (typeof value !== 'number') return `${inWords(name)} ${String(value)}`;
  if (name.endsWith('_ms')) return `${inWords(name.slice(0, -3))} ${format.number(value)} ms`;
  if (name.endsWith('_s')) return `${inWords(name.slice(0, -2))} ${format.duration(value)}`;
  if (name.endsWith('bytes')) return `${inWords(name)} ${format.bytes(value)}`;
  return `${inWords(name)} ${format.number(value)}`;
}

const inWords = (name: string) => name.replaceAll('_', ' ');
