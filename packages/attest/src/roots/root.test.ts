import { readFileSync } from 'node:fs';
import seeds from '@sigstore/tuf/seeds.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { readBundle } from '../formats/bundle.ts';
import { authenticate } from '../verifying/authenticate.ts';
import { openRoot, SIGSTORE_ROOT_DATE } from './root.ts';

const LOG = 'https://rekor.sigstore.dev';
const SHIPPED = readFileSync(new URL('sigstore.json', import.meta.url), 'utf8');

/** The provenance of the npm package sigstore 2.0.0, from the test data of sigstore-go 1.2.2. */
const SAMPLE = readFileSync(new URL('provenance.sample.json', import.meta.url));

describe('the root of the public Sigstore', () => {
  it('is the one that @sigstore/tuf brings along', () => {
    const { targets } = seeds['https://tuf-repo-cdn.sigstore.dev'];
    const seed = Buffer.from(targets['trusted_root.json'], 'base64').toString();
    expect(JSON.parse(SHIPPED)).toEqual(JSON.parse(seed));
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const version = JSON.parse(manifest).devDependencies['@sigstore/tuf'];
    expect([version, SIGSTORE_ROOT_DATE]).toEqual(['5.0.1', '2026-11-05']);
  });

  it('verifies a real signature of 2023, whose certificate has long ended, without a network', async () => {
    const { dsseEnvelope } = JSON.parse(SAMPLE.toString());
    const { subject } = JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString());
    const content = await readBundle(SAMPLE, `sha512:${subject[0].digest.sha512}`);
    const workflow = 'https://github.com/sigstore/sigstore-js/.github/workflows/release.yml';
    expect(authenticate(openRoot('sigstore'), content)).toMatchObject({
      issuer: 'https://token.actions.githubusercontent.com',
      subject: `${workflow}@refs/heads/main`,
      claims: { runner_environment: 'github-hosted', build_trigger: 'push' },
      time: { at: new Date('2023-08-18T16:05:35Z'), source: 'LOG', by: LOG },
      log: LOG,
    });
  });
});
