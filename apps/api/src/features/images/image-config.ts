/**
 * The parts of an image configuration (image spec § config.md) that we show. It is untrusted input.
 */
import { type Platform, parseStrictJson } from '@portcullis/oci';

export interface ShownConfig {
  platform: Platform | null;
  created: string | null;
  labels: Record<string, string>;
  env: string[];
  cmd: string[];
  entrypoint: string[];
  exposedPorts: string[];
  user: string | null;
  workingDir: string | null;
  /** The build step of each layer. */
  steps: (string | null)[];
}

export async function readImageConfig(bytes: Uint8Array | null): Promise<ShownConfig> {
  const document = bytes === null ? {} : await parse(bytes);
  const config = recordOf(document.config);
  const { os, architecture, variant } = document;
  const named = typeof os === 'string' && typeof architecture === 'string';
  return {
    platform: named ? { os, architecture, ...(typeof variant === 'string' && { variant }) } : null,
    created: textOf(document.created),
    labels: Object.fromEntries(
      Object.entries(recordOf(config.Labels)).map(([key, value]) => [key, String(value)]),
    ),
    env: textsOf(config.Env),
    cmd: textsOf(config.Cmd),
    entrypoint: textsOf(config.Entrypoint),
    exposedPorts: Object.keys(recordOf(config.ExposedPorts)),
    user: textOf(config.User),
    workingDir: textOf(config.WorkingDir),
    steps: stepsOf(document.history),
  };
}

function stepsOf(history: unknown): (string | null)[] {
  if (!Array.isArray(history)) return [];
  const entries = history.map(recordOf).filter(({ empty_layer }) => empty_layer !== true);
  return entries.map(({ created_by }) => textOf(created_by));
}

async function parse(bytes: Uint8Array): Promise<Record<string, unknown>> {
  try {
    return recordOf(await parseStrictJson(bytes));
  } catch {
    return {};
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
