/** What a process reports about itself, in the page's language. */
import type { Format, Messages } from '../../i18n/messages.ts';

type Units = Pick<Format, 'number' | 'bytes' | 'duration' | 'dateTime' | 'colon'>;

export interface DetailWords {
  t: Messages['system'];
  /** The message for a code; undefined for an unknown one. */
  faultText: (code: string) => string | undefined;
}

export interface ShownDetail {
  text: string;
  /** A message of the server without a code that is known here, which is English. */
  isServers?: true;
}

/** The message of a code takes the place of the server's. */
export function describeProcess(
  { code, message, ...detail }: Record<string, unknown>,
  words: DetailWords,
  format: Units,
): ShownDetail[] {
  const known = typeof code === 'string' ? words.faultText(code) : undefined;
  const servers = typeof message === 'string' && message !== '' ? message : undefined;
  return [
    ...(known !== undefined ? [{ text: known }] : []),
    ...(known === undefined && servers !== undefined
      ? [{ text: servers, isServers: true as const }]
      : []),
    ...describeDetails(detail, words, format).map((text) => ({ text })),
  ];
}

/** Fields that have no name here, as of a newer process, are shown by the words of their key. */
export function describeDetails(
  detail: Record<string, unknown>,
  words: DetailWords,
  format: Units,
): string[] {
  const t: Messages['system'] = words.t;
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .filter(([name]) => !isCodeOfAnother(name))
    .map(([name, value]) => described(name, messageOf(name) ?? value));

  function isCodeOfAnother(name: string): boolean {
    return CODE.test(name) && Object.hasOwn(detail, name.replace(CODE, ''));
  }

  /** Of a message that has a code: the words of the code. */
  function messageOf(name: string): string | undefined {
    const code = detail[`${name}_code`];
    return typeof code === 'string' ? (words.faultText(code) ?? code) : undefined;
  }

  function described(name: string, value: unknown): string {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return within(name, { ...value });
    const unit = /_(?:at|ms|s)$/.exec(name)?.[0] ?? '';
    return `${named(name.slice(0, name.length - unit.length))}${format.colon}${worded(value, unit, name)}`;
  }

  /** Of what is turned off, the figures say nothing. */
  function within(name: string, value: Record<string, unknown>): string {
    return value.enabled === false
      ? `${named(name)}${format.colon}${t.off}`
      : `${named(name)} (${describeDetails(value, words, format).join(', ')})`;
  }

  function worded(value: unknown, unit: string, name: string): string {
    if (Array.isArray(value)) return value.map(nameOf).join(', ');
    if (typeof value === 'boolean') return value ? t.yes : t.no;
    if (unit === '_at') return format.dateTime(String(value));
    if (typeof value !== 'number') return String(value);
    if (unit === '_ms') return `${format.number(value)} ms`;
    if (unit === '_s') return format.duration(value);
    return name.endsWith('bytes') ? format.bytes(value) : format.number(value);
  }

  function nameOf(value: unknown): string {
    return named(String(value));
  }

  function named(name: string): string {
    return hasName(t.reports, name) ? t.reports[name] : name.replaceAll('_', ' ');
  }
}

const CODE = /_code$/;

function hasName<T extends object>(names: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(names, name);
}
