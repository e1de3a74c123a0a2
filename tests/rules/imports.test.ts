/** The table of permitted imports. A new edge is a decision that is made here. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, ROOT, resolveImport, type SourceFile, shipped } from './sources.ts';

const ALLOWED: Record<string, readonly string[]> = {
  'packages/oci': [],
  'packages/attest': ['domain', 'errors', 'oci'],
  'packages/errors': ['oci'],
  'packages/domain': ['errors', 'oci'],
  'packages/contract': ['domain', 'oci'],
  'packages/command': ['contract', 'domain', 'errors'],
  'packages/client': ['contract', 'domain', 'errors', 'oci'],
  'packages/runtime': ['errors'],
  'packages/store': ['errors', 'domain', 'runtime'],
  'packages/queue': ['errors', 'domain', 'runtime'],
  'packages/events': ['errors', 'domain', 'runtime'],
  'packages/scanner': ['errors', 'domain', 'oci', 'runtime'],
  'packages/local-registry': ['errors', 'oci', 'runtime'],
  'packages/registry-access': ['errors', 'domain', 'oci', 'store', 'local-registry'],
  'packages/gate': ['errors', 'domain', 'events', 'oci', 'store', 'local-registry'],
  'packages/passwords': ['errors'],
  'packages/notify': ['errors', 'domain', 'events'],
  'packages/embedded': ['errors', 'local-registry', 'passwords', 'runtime'],
  'packages/testing': ['errors', 'oci', 'domain', 'store', 'local-registry', 'scanner', 'embedded'],
  'apps/api': [
    'errors',
    'attest',
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
    'gate',
    'notify',
    'passwords',
  ],
  'apps/worker': [
    'errors',
    'attest',
    'oci',
    'domain',
    'runtime',
    'store',
    'queue',
    'events',
    'scanner',
    'local-registry',
    'registry-access',
    'gate',
  ],
  'apps/notifier': ['errors', 'oci', 'domain', 'runtime', 'store', 'events', 'notify'],
  'apps/web': ['client', 'contract', 'domain'],
  'apps/pcs': ['client', 'command', 'contract', 'domain', 'errors', 'oci'],
  'apps/cli': [
    'errors',
    'attest',
    'oci',
    'domain',
    'contract',
    'command',
    'runtime',
    'store',
    'events',
    'scanner',
    'local-registry',
    'registry-access',
    'gate',
    'embedded',
    'passwords',
  ],
  // Of the apps only their settings, which are checked before anything is started.
  'apps/standalone': [
    'errors',
    'runtime',
    'store',
    'scanner',
    'embedded',
    'api',
    'worker',
    'notifier',
  ],
};

/**
 * Each vendor package is named in one package.json, so that replacing it changes one package only.
 */
const VENDOR_OWNER: Record<string, string> = {
  '@prisma/client': 'packages/store',
  '@prisma/adapter-pg': 'packages/store',
  prisma: 'packages/store',
  bullmq: 'packages/queue',
  ioredis: 'packages/runtime',
  pino: 'packages/runtime',
  'prom-client': 'packages/runtime',
  '@opentelemetry/api': 'packages/runtime',
  '@opentelemetry/resources': 'packages/runtime',
  '@opentelemetry/sdk-trace': 'packages/runtime',
  '@opentelemetry/exporter-trace-otlp-http': 'packages/runtime',
  '@opentelemetry/exporter-trace-otlp-proto': 'packages/runtime',
  nodemailer: 'packages/notify',
  glossy: 'packages/notify',
  express: 'apps/api',
  'http-proxy': 'apps/api',
  jsonwebtoken: 'apps/api',
  bcryptjs: 'packages/passwords',
  'express-rate-limit': 'apps/api',
  'openid-client': 'apps/api',
  tldts: 'packages/oci',
  '@sigstore/bundle': 'packages/attest',
  '@sigstore/core': 'packages/attest',
  '@sigstore/protobuf-specs': 'packages/attest',
  '@sigstore/verify': 'packages/attest',
  cborg: 'packages/attest',
  piscina: 'packages/scanner',
  aws4fetch: 'packages/local-registry',
  'swagger-ui-express': 'apps/api',
};

const members = globSync('{apps,packages}/*/package.json', { cwd: ROOT })
  .map((file) => path.dirname(file))
  .sort();

const sourcesOf = (member: string) => shipped.filter(({ file }) => file.startsWith(`${member}/`));

/** The name of a workspace member in the table. */
const short = (name: string) => name.replace('@portcullis/', '').split('/')[0] ?? '';

function membersImportedBy(source: SourceFile): string[] {
  return importsOf(source)
    .filter((name) => name.startsWith('@portcullis/'))
    .map(short);
}

function dependenciesOf(member: string): string[] {
  const manifest = readFileSync(path.join(ROOT, member, 'package.json'), 'utf8');
  return Object.keys(JSON.parse(manifest).dependencies ?? {});
}

describe('dependency direction', () => {
  it('the table lists every package and app', () => {
    expect(Object.keys(ALLOWED).sort()).toEqual(members);
  });

  it.each(members)('%s imports only what the table allows', (member) => {
    const refused = sourcesOf(member).flatMap((source) =>
      membersImportedBy(source)
        .filter((name) => !ALLOWED[member]?.includes(name))
        .map((name) => `${source.file}: ${name}`),
    );
    expect(refused).toEqual([]);
  });

  it.each(members)('%s imports everything that the table allows', (member) => {
    const used = new Set(sourcesOf(member).flatMap(membersImportedBy));
    expect(ALLOWED[member]?.filter((name) => !used.has(name))).toEqual([]);
  });

  it.each(members)('%s declares only what the table allows', (member) => {
    const declared = dependenciesOf(member).filter((name) => name.startsWith('@portcullis/'));
    expect(declared.filter((name) => !ALLOWED[member]?.includes(short(name)))).toEqual([]);
  });

  it('only one package.json declares each vendor package', () => {
    const elsewhere = members.flatMap((member) =>
      dependenciesOf(member)
        .filter((name) => VENDOR_OWNER[name] && VENDOR_OWNER[name] !== member)
        .map((name) => `${member}: ${name}`),
    );
    expect(elsewhere).toEqual([]);
  });

  it('only main.ts and config.ts read process.env', () => {
    const readers = shipped.filter(
      ({ file, text }) =>
        text.includes('process.env') &&
        !/\/(?:main|config)\.ts$/.test(file) &&
        !file.startsWith('packages/testing/'),
    );
    expect(readers.map(({ file }) => file)).toEqual([]);
  });

  it.each(['packages/domain/src/index.ts', 'packages/oci/src/index.ts'])(
    '%s imports no Node built-in, directly or through others',
    (entry) => {
      const builtins = reachableFrom(entry).flatMap((source) =>
        importsOf(source)
          .filter((name) => name.startsWith('node:'))
          .map((name) => `${source.file}: ${name}`),
      );
      expect(builtins).toEqual([]);
    },
  );
});

/** A module and every module of the workspace that it imports, directly or through others. */
function reachableFrom(entry: string): SourceFile[] {
  const reached = new Set([entry]);
  for (const file of reached) {
    const source = shipped.find((each) => each.file === file);
    for (const name of source ? importsOf(source) : []) {
      const target = source && resolveImport(source, name);
      if (target !== undefined) reached.add(target);
    }
  }
  return shipped.filter(({ file }) => reached.has(file));
}
