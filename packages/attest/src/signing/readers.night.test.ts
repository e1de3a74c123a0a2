/**
 * The readers of statements, and the files that we deliver for them: each accepts an image that
 * passes, and refuses one that is blocked, that nothing is stated about, whose statement another
 * key signed, is about another digest, or is too old.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  PREDICATE_TYPES,
  type StatementKind,
  scannedVulnerabilities,
  statementOf,
  verificationSummary,
} from '@portcullis/domain';
import type { Digest } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleSigstore } from '../keyless.fixture.ts';
import { type Programs, startPrograms } from '../programs.contract.ts';
import {
  attachByTag,
  attachReferrer,
  type SampleRepository,
  withImage,
} from '../repository.fixture.ts';
import { signStatement } from './sign-statement.ts';
import { generateSigningKey, openSigningKey } from './signing-key.ts';

const FILES = join(import.meta.dirname, '../../../../deploy/admission');
const OTHER = `sha256:${'a'.repeat(64)}` as const;
const DAY_MS = 86_400_000;

type Sample = SampleRepository<Repository> & { at: string };

let programs: Programs;
let number = 0;
const key = openSigningKey(generateSigningKey());
const stranger = openSigningKey(generateSigningKey());

/** As delivered, with the key and the registry of the test. */
async function deliver(name: string): Promise<string> {
  const text = await readFile(join(FILES, name), 'utf8');
  const body = key.publicKey.split('\n').slice(1, -2).join('');
  return programs.write(
    name,
    text.replaceAll('PUT-IN-THE-KEY', body).replaceAll('images.example.com', programs.host),
  );
}

beforeAll(async () => {
  programs = await startPrograms();
  await programs.write('key.pem', key.publicKey);
  await programs.write('root.json', (await sampleSigstore()).root());
  for (const file of ['cosign.rego', 'policy-controller.yaml', 'kyverno.yaml']) await deliver(file);
});
afterAll(() => programs?.[Symbol.asyncDispose]());

interface Said {
  passes?: boolean;
  by?: typeof key;
  about?: Digest;
  at?: Date;
  policy?: string;
}

/** As the product writes them: a bundle that refers to the image, and an envelope under a tag. */
async function state(
  to: Sample,
  { passes = true, by = key, about, at = new Date(), policy = 'default' }: Said,
) {
  const image = { repository: 'team/app', digest: about ?? to.image.digest };
  const stated = { keyId: by.id, publicUrl: 'https://images.example.com', version: '1' };
  const verdict = {
    ...{ passes, code: passes ? null : 'VULN_BLOCKED', at },
    policy: { name: policy, version: '1', digest: 'f00d' },
    ...{ databaseAt: null, waivers: [] },
  };
  const predicate = verificationSummary(image, verdict, stated);
  const signed = signStatement(by, statementOf('verdict', image, { by: stated, predicate }));
  const { mediaType, bytes, annotations, envelope } = signed;
  const layer = { ...envelope, annotations: { 'dev.cosignproject.cosign/signature': '' } };
  await attachByTag(to, 'att', [layer]);
  await attachReferrer(to, [{ mediaType, bytes, annotations }]);
}

const PREDICATES: Partial<Record<StatementKind, object>> = {
  sbom: { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [] },
  vulns: scannedVulnerabilities(
    { repository: 'team/app', digest: OTHER },
    {
      report: {
        ...{ coverage: 'full', notes: [], os: null, targets: [], vulnerabilities: [] },
        scanner: { name: 'trivy', version: '0.74.0', dbUpdatedAt: null },
      },
      scan: { at: new Date(), scannerVersion: '0.74.0', databaseAt: null },
    },
    { keyId: 'sha256:key', publicUrl: null, version: '1' },
  ),
};

async function sample(): Promise<Sample> {
  number += 1;
  const name = `team/app-${number}`;
  const made = await withImage(programs.repository(name), name);
  return { ...made, at: `${programs.host}/${name}@${made.image.digest}` };
}

const TYPE = ['--type', 'https://slsa.dev/verification_summary/v1'];
const BY_KEY = ['--key', 'key.pem', '--insecure-ignore-tlog=true', '--policy', 'cosign.rego'];
const cosign =
  (version: 'cosign-2' | 'cosign-3', ...more: string[]) =>
  (at: string) =>
    programs.run(version, [
      ...['verify-attestation', ...TYPE, ...BY_KEY, ...more],
      ...['--allow-http-registry', at],
    ]);

const pod = (image: string, more: object = {}) =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'app', namespace: 'default' } },
    spec: { containers: [{ name: 'app', image }], ...more },
  });

async function kyverno(at: string) {
  const resource = await programs.write(`pod-${number}.json`, pod(at));
  return programs.run('kyverno', ['apply', 'kyverno.yaml', '--resource', resource, '--registry']);
}

describe.each<[string, (at: string) => ReturnType<Programs['run']>]>([
  // Without a network it has to be told of a trusted root, whose keys it does not need.
  ['cosign 2.6', cosign('cosign-2', '--new-bundle-format=true', '--trusted-root', 'root.json')],
  ['cosign 3.1', cosign('cosign-3')],
  [
    'policy-controller',
    (at) => programs.run('policy-tester', ['--policy', 'policy-controller.yaml', '--image', at]),
  ],
  ['Kyverno', kyverno],
])('%s', (_, ask) => {
  it.each<[string, Said | null, boolean]>([
    ['accepts an image that passes', {}, true],
    ['refuses one that is blocked', { passes: false }, false],
    ['refuses one that nothing is stated about', null, false],
    ['refuses a statement that another key signed', { by: stranger }, false],
    ['refuses a statement that was moved to another digest', { about: OTHER }, false],
    ['refuses one that is too old', { at: new Date(Date.now() - 9 * DAY_MS) }, false],
  ])('%s', async (__, said, isAccepted) => {
    const image = await sample();
    if (said) await state(image, said);
    const answer = await ask(image.at);
    expect(answer.isAccepted, answer.output).toBe(isAccepted);
  });
});

it('the line of the file for cosign accepts the verdicts of one policy alone', async () => {
  const text = await programs.read('cosign.rego');
  const line = text.replace(
    /# (startswith.*"https:\/\/)[^#]*#policy=prod&/,
    '$1images.example.com#policy=prod&',
  );
  expect(line).not.toBe(text);
  await programs.write('prod.rego', line);
  const asked = async (policy: string) => {
    const image = await sample();
    await state(image, { policy });
    return programs.run('cosign-3', [
      ...['verify-attestation', ...TYPE, '--key', 'key.pem', '--insecure-ignore-tlog=true'],
      ...['--policy', 'prod.rego', '--allow-http-registry', image.at],
    ]);
  };
  for (const [policy, isAccepted] of [
    ['prod', true],
    ['prod-lax', false],
    ['default', false],
  ] as const) {
    const answer = await asked(policy);
    expect(answer.isAccepted, answer.output).toBe(isAccepted);
  }
});

it.each<[string, StatementKind]>([
  ['cyclonedx', 'sbom'],
  ['vuln', 'vulns'],
  [PREDICATE_TYPES.promotion, 'promotion'],
])('both versions of cosign read --type %s', async (type, kind) => {
  const to = await sample();
  const image = { repository: 'team/app', digest: to.image.digest };
  const by = { keyId: key.id, publicUrl: null, version: '1' };
  const { mediaType, bytes, annotations } = signStatement(
    key,
    statementOf(kind, image, { by, predicate: PREDICATES[kind] ?? {} }),
  );
  await attachReferrer(to, [{ mediaType, bytes, annotations }]);
  const read = (version: 'cosign-2' | 'cosign-3', ...more: string[]) =>
    programs.run(version, [
      ...['verify-attestation', '--type', type, '--key', 'key.pem'],
      ...['--insecure-ignore-tlog=true', ...more, '--allow-http-registry', to.at],
    ]);
  const two = ['--new-bundle-format=true', '--trusted-root', 'root.json'];
  for (const answer of [await read('cosign-2', ...two), await read('cosign-3')])
    expect(answer.isAccepted, answer.output).toBe(true);
});

it('Kyverno is asked about containers for debugging, which no update of a pod itself has', async () => {
  const [, resources] = /^ +resources: \[(.*)\]$/m.exec(await programs.read('kyverno.yaml')) ?? [];
  expect(resources?.split(', ')).toEqual(['pods', 'pods/ephemeralcontainers']);
});

it.each<[string, (image: string) => object]>([
  ['init containers', (image) => ({ initContainers: [{ name: 'init', image }] })],
  ['containers for debugging', (image) => ({ ephemeralContainers: [{ name: 'debug', image }] })],
  [
    'volumes of images',
    (reference) => ({
      volumes: [
        { name: 'tmp', emptyDir: {} },
        { name: 'v', image: { reference } },
      ],
    }),
  ],
])('Kyverno asks about %s as well', async (_, more) => {
  const [passing, blocked] = [await sample(), await sample()];
  await state(passing, {});
  await state(blocked, { passes: false });
  const asked = async (image: string) => {
    const resource = await programs.write('more.json', pod(passing.at, more(image)));
    return programs.run('kyverno', ['apply', 'kyverno.yaml', '--resource', resource, '--registry']);
  };
  expect(await asked(passing.at)).toMatchObject({ isAccepted: true });
  expect(await asked(blocked.at)).toMatchObject({ isAccepted: false });
});
