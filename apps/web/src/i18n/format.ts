/** Formats numbers, sizes and times in the user's locale. */
import { isLanguage, type Language } from './languages.ts';

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;
/** What is 35 days away is not "next month", and what was 15 months ago not "last year". */
const STEPS = [
  { name: 'year', size: 31_536_000, from: 2 * 31_536_000 },
  { name: 'month', size: 2_592_000, from: 60 * 86_400 },
  { name: 'day', size: 86_400, from: 86_400 },
  { name: 'hour', size: 3600, from: 3600 },
  { name: 'minute', size: 60, from: 60 },
] as const;
/** What Intl has only as "now", which reads as the present state. */
const JUST_NOW: Record<Language, string> = {
  en: 'just now',
  de: 'gerade eben',
  fr: 'à l’instant',
};
/** By so much the clock of the server may be ahead of the browser's. */
const SKEW_SECONDS = 5;

export interface Format {
  number(value: number): string;
  /** 12,300 as "12K". */
  compact(value: number): string;
  /** Of CVSS, with one decimal. */
  score(value: number): string;
  percent(share: number): string;
  /** With two significant digits: 0.0042 as "0.42%". */
  probability(share: number): string;
  bytes(value: number): string;
  rate(bytesPerSecond: number): string;
  /** In the browser's time zone by default. */
  dateTime(time: string, timeZone?: string): string;
  date(time: string): string;
  /** A day in UTC, such as `2026-11-21`. */
  day(day: string): string;
  /** Without its year. */
  shortDay(day: string): string;
  time(time: string): string;
  /** "3 minutes ago"; "just now" within the last minute. */
  relative(time: string, now?: number): string;
  /** "2 min 5 sec" */
  duration(seconds: number): string;
  milliseconds(value: number): string;
  list(parts: readonly string[]): string;
  /** Between a label and its value; French has a no-break space before it. */
  readonly colon: string;
}

export function createFormat(locale: string): Format {
  const number = new Intl.NumberFormat(locale);
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const probability = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumSignificantDigits: 2,
  });
  const score = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const language = locale.split('-')[0];
  const justNow = JUST_NOW[isLanguage(language) ? language : 'en'];
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const dateTime = (timeZone?: string) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      ...(timeZone !== undefined && { timeZone }),
    });
  const here = dateTime();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const shortDay = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const units = new Map<string, Intl.NumberFormat>();

  function unit(value: number, name: string, digits = 0): string {
    const key = name + digits;
    const format =
      units.get(key) ??
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: name,
        // The short English form would be "2 byte".
        unitDisplay: name === 'byte' ? 'long' : 'short',
        maximumFractionDigits: digits,
      });
    units.set(key, format);
    return format.format(value);
  }

  function bytes(value: number, suffix = ''): string {
    const step = Math.min(
      BYTE_UNITS.length - 1,
      value < 1000 ? 0 : Math.floor(Math.log10(value) / 3),
    );
    const scaled = value / 1000 ** step;
    return unit(scaled, `${BYTE_UNITS[step] ?? 'byte'}${suffix}`, scaled < 10 && step > 0 ? 1 : 0);
  }

  return {
    number: (value) => number.format(value),
    compact: (value) => compact.format(value),
    score: (value) => score.format(value),
    percent: (share) => percent.format(share),
    probability: (share) => probability.format(share),
    bytes: (value) => bytes(value),
    rate: (value) => bytes(value, '-per-second'),
    dateTime: (at, timeZone) =>
      (timeZone === undefined ? here : dateTime(timeZone)).format(new Date(at)),
    date: (at) => date.format(new Date(at)),
    day: (at) => day.format(new Date(at)),
    shortDay: (at) => shortDay.format(new Date(at)),
    time: (at) => time.format(new Date(at)),
    relative(at, now = Date.now()) {
      const seconds = (new Date(at).getTime() - now) / 1000;
      const step = STEPS.find(({ from }) => Math.abs(seconds) >= from);
      if (step) return relative.format(Math.trunc(seconds / step.size), step.name);
      return seconds > SKEW_SECONDS ? relative.format(0, 'second') : justNow;
    },
    duration(seconds) {
      const whole = Math.max(0, Math.round(seconds));
      const parts = [
        [Math.floor(whole / 86_400), 'day'],
        [Math.floor(whole / 3600) % 24, 'hour'],
        [Math.floor(whole / 60) % 60, 'minute'],
        [whole % 60, 'second'],
      ] as const;
      const first = parts.findIndex(([value]) => value > 0);
      if (first < 0) return unit(0, 'second');
      return parts
        .slice(first, first + 2)
        .filter(([value]) => value > 0)
        .map(([value, name]) => unit(value, name))
        .join(' ');
    },
    milliseconds: (value) => unit(value, 'millisecond'),
    list: (parts) => list.format(parts),
    colon: locale.startsWith('fr') ? '\u00a0: ' : ': ',
  };
}

/** The browser's variant of the language, such as en-GB. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.split('-')[0] === language) ?? language;
}

const formats = new Map<string, Format>();

/** Shared by all components: a row of a list may have several that format. */
export function formatOf(locale: string): Format {
  const format = formats.get(locale) ?? createFormat(locale);
  formats.set(locale, format);
  return format;
}
