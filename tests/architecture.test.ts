/** The table of permitted imports. A new edge is a decision that is made here. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

const ALLOWED: Record<string, readonly string[]> = {
  'packages/oci': [],
  'packages/errors': ['oci'],
  'packages/domain': ['errors', 'oci'],
  'packages/contract': ['domain', 'oci'],
  'packages/runtime': ['errors'],
  'packages/store': ['errors', 'domain', 'runtime'],
  'packages/queue': ['errors', 'domain', 'runtime'],
  'packages/events': ['errors', 'domain', 'runtime'],
  'packages/scanner': ['errors', 'domain', 'oci', 'runtime'],
  'packages/local-registry': ['errors', 'oci', 'runtime'],
  'packages/registry-access': ['errors', 'domain', 'oci', 'store', 'local-registry'],
  'packages/passwords': ['errors'],
  'packages/notify': ['errors', 'domain', 'events'],
  'packages/embedded': ['errors', 'local-registry', 'passwords', 'runtime'],
  'packages/testing': [
    'errors',
    'oci',
    'domain',
    'runtime',
    'store',
    'local-registry',
    'scanner',
    'embedded',
  ],
  'apps/api': [
    'errors',
    'oci',
    'domain',
    'contract',
    'runtime',
    'store',
    'queue',
    'events',
    'scanner',
    'local-registry',
    'registry-access',
    'notify',
    'passwords',
  ],
  'apps/worker': [
    'errors',
    'oci',
    'domain',
    'runtime',
    'store',
    'queue',
    'events',
    'scanner',
    'local-registry',
    'registry-access',
  ],
  'apps/notifier': ['errors', 'oci', 'domain', 'runtime', 'store', 'events', 'notify'],
  'apps/web': ['contract', 'domain'],
  'apps/cli': [
    'errors',
    'oci',
    'domain',
    'runtime',
    'store',
    'events',
    'scanner',
    'local-registry',
    'embedded',
    'passwords',
  ],
  // Of the apps only their settings, which are checked before anything is started.
  'apps/standalone': [
    'errors',
    'runtime',
    'store',
    'scanner',
    'local-registry',
    'embedded',
    'api',
    'worker',
    'notifier',
  ],
};

/**
 * Each vendor package is named in one package.json, so that replacing it changes one package only.
 */
const VENDOR_HOME: Record<string, string> = {
  '@prisma/client': 'packages/store',
  '@prisma/adapter-pg': 'packages/store',
  prisma: 'packages/store',
  bullmq: 'packages/queue',
  ioredis: 'packages/runtime',
  pino: 'packages/runtime',
  'prom-client': 'packages/runtime',
  nodemailer: 'packages/notify',
  glossy: 'packages/notify',
  express: 'apps/api',
  'http-proxy': 'apps/api',
  jsonwebtoken: 'apps/api',
  bcryptjs: 'packages/passwords',
  'express-rate-limit': 'apps/api',
  'openid-client': 'apps/api',
  tldts: 'packages/oci',
  aws4fetch: 'packages/local-registry',
  'swagger-ui-express': 'apps/api',
};

const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;
const isTest = (file: string) => /\.(?:test|contract|fixture)\.ts$/.test(file);

function places(): string[] {
  return ['packages', 'apps'].flatMap((top) =>
    readdirSync(path.join(ROOT, top), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${top}/${entry.name}`),
  );
}

function sources(place: string): { file: string; text: string }[] {
  return readdirSync(path.join(ROOT, place, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !isTest(file) && !file.includes('generated'))
    .map((file) => ({
      file: `${place}/src/${file}`,
      text: readFileSync(path.join(ROOT, place, 'src', file), 'utf8'),
    }));
}

function importsOf(place: string): { file: string; name: string }[] {
  return sources(place).flatMap(({ file, text }) =>
    [...text.matchAll(IMPORT)].map(([, name]) => ({ file, name: name ?? '' })),
  );
}

function manifest(place: string): {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
} {
  return JSON.parse(readFileSync(path.join(ROOT, place, 'package.json'), 'utf8'));
}

const dependenciesOf = (place: string) => Object.keys(manifest(place).dependencies ?? {});
const short = (name: string) => name.replace('@portcullis/', '').split('/')[0] ?? '';

describe('dependency direction', () => {
  it('every package and app is in the table', () => {
    expect(places().filter((place) => !(place in ALLOWED))).toEqual([]);
  });

  it.each(places())('%s imports only what the table allows it', (place) => {
    const strangers = importsOf(place).filter(
      ({ name }) => name.startsWith('@portcullis/') && !ALLOWED[place]?.includes(short(name)),
    );
    expect(strangers).toEqual([]);
  });

  it.each(places())('%s imports all that the table allows it', (place) => {
    const used = new Set(importsOf(place).map(({ name }) => short(name)));
    expect(ALLOWED[place]?.filter((name) => !used.has(name))).toEqual([]);
  });

  it.each(places())('%s declares only what the table allows it', (place) => {
    const declared = dependenciesOf(place).filter((name) => name.startsWith('@portcullis/'));
    expect(declared.filter((name) => !ALLOWED[place]?.includes(short(name)))).toEqual([]);
  });

  it('a vendor package is declared by its one owner', () => {
    const elsewhere = places().flatMap((place) =>
      dependenciesOf(place)
        .filter((name) => VENDOR_HOME[name] && VENDOR_HOME[name] !== place)
        .map((name) => `${place}: ${name}`),
    );
    expect(elsewhere).toEqual([]);
  });

  it('the api names each port where it passes it', () => {
    const spread = sources('apps/api').filter(({ text }) =>
      /\.\.\.(?:deps|ports|shared)\b/.test(text),
    );
    expect(spread.map(({ file }) => file)).toEqual([]);
  });

  it('process.env is read only in main.ts and config.ts', () => {
    const readers = places()
      .filter((place) => place !== 'packages/testing')
      .flatMap(sources)
      .filter(
        ({ file, text }) => text.includes('process.env') && !/\/(?:main|config)\.ts$/.test(file),
      )
      .map(({ file }) => file);
    expect(readers).toEqual([]);
  });

  it('packages/domain and the entry of packages/oci import no Node built-in', () => {
    const domain = importsOf('packages/domain').filter(({ name }) => name.startsWith('node:'));
    expect(domain).toEqual([]);
  });
});
