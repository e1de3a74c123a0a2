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
  if (Array.isArray(value)) return `${spoken(name)} ${value.join(', ')}`;
  if (typeof value === 'object' && value !== null)
    return `${spoken(name)} (${describeDetails({ ...value }, format).join(', ')})`;
  if (typeof value === 'boolean') return value ? spoken(name) : `not ${spoken(name)}`;
  if (name.endsWith('_at')) return `${spoken(name)} ${format.dateTime(String(value))}`;
  if (typeof value !== 'number') return `${spoken(name)} ${String(value)}`;
  if (name.endsWith('_ms')) return `${spoken(name.slice(0, -3))} ${format.number(value)} ms`;
  if (name.endsWith('_s')) return `${spoken(name.slice(0, -2))} ${format.duration(value)}`;
  if (name.endsWith('bytes')) return `${spoken(name)} ${format.bytes(value)}`;
  return `${spoken(name)} ${format.number(value)}`;
}

const spoken = (name: string) => name.replaceAll('_', ' ');
