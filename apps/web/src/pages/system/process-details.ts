/** What a process reports about itself, in the page's language. */
import type { Format } from '../../i18n/format.ts';
import type { Messages } from '../../i18n/messages.ts';

type Units = Pick<Format, 'number' | 'bytes' | 'duration' | 'dateTime'>;

/** Fields that have no name here, as of a newer process, are shown by the words of their key. */
export function describeDetails(
  detail: Record<string, unknown>,
  t: Messages['system'],
  format: Units,
): string[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => described(name, value));

  function described(name: string, value: unknown): string {
    if (name === 'message') return String(value);
    if (Array.isArray(value)) return `${named(name)} ${value.map(nameOf).join(', ')}`;
    if (typeof value === 'object' && value !== null)
      return `${named(name)} (${describeDetails({ ...value }, t, format).join(', ')})`;
    if (typeof value === 'boolean') return `${named(name)} ${value ? t.yes : t.no}`;
    if (name.endsWith('_at'))
      return `${named(name.slice(0, -3))} ${format.dateTime(String(value))}`;
    if (typeof value !== 'number') return `${named(name)} ${String(value)}`;
    if (name.endsWith('_ms')) return `${named(name.slice(0, -3))} ${format.number(value)} ms`;
    if (name.endsWith('_s')) return `${named(name.slice(0, -2))} ${format.duration(value)}`;
    if (name.endsWith('bytes')) return `${named(name)} ${format.bytes(value)}`;
    return `${named(name)} ${format.number(value)}`;
  }

  function nameOf(value: unknown): string {
    return named(String(value));
  }

  function named(name: string): string {
    return hasName(t.reports, name) ? t.reports[name] : name.replaceAll('_', ' ');
  }
}

function hasName<T extends object>(names: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(names, name);
}
