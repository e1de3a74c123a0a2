/**
 * Generates docs/guide/configuration.md from the schemas by which the processes read their
 * environment. `npm run docs` writes it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NETWORK_SECRET_VARIABLES, networkFromEnv, policyFromEnv } from '@portcullis/domain';
import { secretNames } from '@portcullis/runtime';
import { z } from 'zod';
import { ApiEnv } from '../../apps/api/src/config.ts';
import { OidcEnv } from '../../apps/api/src/features/oidc/environment.ts';
import { NotifierEnv } from '../../apps/notifier/src/config.ts';
import { StandaloneEnv } from '../../apps/standalone/src/config.ts';
import { WorkerEnv } from '../../apps/worker/src/config.ts';

export const FILE = path.resolve(import.meta.dirname, '../../docs/guide/configuration.md');

/** The meaning of each variable, by subject. A test finds a variable without a meaning. */
export const SECTIONS = z
  .record(z.string(), z.record(z.string(), z.string()))
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, 'words/settings.json'), 'utf8')));

/** Variables that our own programs set for each other. */
const INTERNAL = ['PORTCULLIS_PARENT', 'PATH'];

type Schema = Parameters<typeof secretNames>[0] & { shape: Record<string, Field> };

/** The part of zod's types that is used here. */
interface Field {
  safeParse(value: undefined): { success: boolean; data?: unknown };
}

const SCHEMAS: Record<string, Schema[]> = {
  start: [StandaloneEnv],
  api: [ApiEnv, OidcEnv],
  worker: [WorkerEnv],
  notifier: [NotifierEnv],
};
/** Functions that read variables without a schema; a proxy records the names. */
const READERS: Record<string, ((env: Record<string, string | undefined>) => unknown)[]> = {
  api: [policyFromEnv, networkFromEnv],
  worker: [policyFromEnv, networkFromEnv],
  notifier: [networkFromEnv],
};

interface Variable {
  readers: string[];
  /** By reader, where it has one. */
  fallbacks: Map<string, string>;
  isSecret: boolean;
}

function namesRead(read: (env: Record<string, string | undefined>) => unknown): string[] {
  const names = new Set<string>();
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    { get: (_, name) => void (typeof name === 'string' && names.add(name)) },
  );
  read(env);
  return [...names].filter((name) => name === name.toUpperCase());
}

/** Null where there is no default; the description then says what an unset variable means. */
function fallbackOf(schema: Field, name: string): string | null {
  const parsed = schema.safeParse(undefined);
  const { data } = parsed;
  if (data === undefined || data === null || name === 'DATA_DIR' || name === 'WEB_DIR') return null;
  return asText(data);
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'object' && value !== null && 'text' in value) return String(value.text);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, each]) => `${key}=${String(each)}`)
      .join(',');
  return String(value);
}

export function variables(): Map<string, Variable> {
  const found = new Map<string, Variable>();
  const note = (name: string, reader: string, fallback: string | null, isSecret: boolean) => {
    const known = found.get(name) ?? {
      readers: [],
      fallbacks: new Map<string, string>(),
      isSecret,
    };
    if (!known.readers.includes(reader)) known.readers.push(reader);
    if (fallback !== null && fallback !== '') known.fallbacks.set(reader, fallback);
    found.set(name, { ...known, isSecret: known.isSecret || isSecret });
  };
  for (const [reader, schemas] of Object.entries(SCHEMAS)) {
    for (const schema of schemas) {
      const secrets = secretNames(schema);
      for (const [name, field] of Object.entries(schema.shape))
        note(name, reader, fallbackOf(field, name), secrets.includes(name));
    }
  }
  for (const [reader, reads] of Object.entries(READERS))
    for (const name of reads.flatMap(namesRead))
      note(name, reader, null, NETWORK_SECRET_VARIABLES.includes(name));
  for (const name of INTERNAL) found.delete(name);
  return found;
}

export function reference(): string {
  const known = variables();
  const sections = Object.entries(SECTIONS).map(([title, words]) => section(title, words, known));
  return `${HEAD}\n${sections.join('\n')}`;
}

function section(
  title: string,
  words: Record<string, string>,
  known: Map<string, Variable>,
): string {
  const rows = Object.entries(words).flatMap(([name, meaning]) => {
    const variable = known.get(name);
    return variable ? [row(name, meaning, variable)] : [];
  });
  return [
    `## ${title}`,
    '| variable | default | meaning | read by |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function row(name: string, meaning: string, { fallbacks, isSecret, readers }: Variable): string {
  const values = [...new Set(fallbacks.values())];
  const ofSome = (value: string) =>
    readers.filter((reader) => fallbacks.get(reader) === value).join(', ');
  const shown = values
    .map((value) => (values.length === 1 ? `\`${value}\`` : `${ofSome(value)}: \`${value}\``))
    .join('; ');
  return `| \`${name}\`${isSecret ? ' (`_FILE`)' : ''} | ${shown} | ${meaning} | ${readers.join(', ')} |`;
}

const HEAD = `# Configuration
Generated by \`npm run docs\` from the schemas of the processes; don't edit it. A process reports all faults of its variables together when it starts. A variable marked \`_FILE\` may be given as a file instead:
\`SECRET_KEY_FILE=/run/secrets/key\`. \`start\` is \`npm start\`, which passes its variables on to the processes that it starts. Settings of the web page (proxy, syslog, e-mail, single sign-on, scan policy) take precedence over the environment, and apply in every process within a second.
`;

if (import.meta.main) writeFileSync(FILE, reference());
