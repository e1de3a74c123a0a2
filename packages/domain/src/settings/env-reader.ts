/** Reads environment variables and collects all faults, so that one error names them all. */
import { invalid } from '@portcullis/errors';

export type Variables = Record<string, string | undefined>;

export interface EnvReader {
  /** Returns the fallback where the variable is absent, empty or wrong. */
  read<T>(name: string, parse: (text: string) => T | null, fallback: T, expected: string): T;
  /** @throws invalid naming every wrong variable */
  assertAll(): void;
}

export function envReader(env: Variables): EnvReader {
  const faults: { name: string; message: string }[] = [];
  return {
    read(name, parse, fallback, expected) {
      const text = env[name]?.trim();
      if (text === undefined || text === '') return fallback;
      const value = parse(text);
      if (value === null) faults.push({ name, message: `expected ${expected}` });
      return value ?? fallback;
    },
    assertAll() {
      if (faults.length === 0) return;
      const lines = faults.map(({ name, message }) => `${name}: ${message}`);
      throw invalid('CONFIG_INVALID', lines.join('\n'), { detail: { faults } });
    },
  };
}

export function parseBoolean(text: string): boolean | null {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  return /^(false|0|no|off)$/i.test(text) ? false : null;
}

export function oneOf<const T extends string>(...words: readonly T[]): (text: string) => T | null {
  return (text) => words.find((word) => word === text.toLowerCase()) ?? null;
}
