/**
 * What we state of an image goes with it to another registry, where a reader who has our public
 * key alone verifies it: also after we are gone.
 */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blockedReport, cleanReport } from '../../apps/api/src/registry/gate/report.fixture.ts';
import { sampleSigstore } from '../../packages/attest/src/keyless.fixture.ts';
import { type Programs, startPrograms } from '../../packages/attest/src/programs.contract.ts';
import { api, harness, type Judged, judged, result, startStated } from './statements.fixture.ts';

startStated();

let programs: Programs;
beforeAll(async () => {
  programs = await startPrograms();
  const key = await fetch(`${api.url}/.well-known/portcullis/key.pem`);
  expect(key.status).toBe(200);
  await programs.write('key.pem', await key.text());
  await programs.write('root.json', (await sampleSigstore()).root());
  await programs.write('passed.rego', PASSED);
});
afterAll(() => programs?.[Symbol.asyncDispose]());

const HERE = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host: 'here' } as const;
const PASSED = `package signature
default allow = false
allow { input.predicate.verificationResult == "PASSED" }
`;

/** By a job, with all that refers to the image. */
async function transferred({ repository: image }: Judged, registryId: string): Promise<string> {
  const overrides = { vulnScanEnabled: false, vulnSeverities: null };
  const { id } = await harness.submit({
    ...{ image, tag: '1', withReferrers: true, host: 'here', source: HERE, overrides },
  });
  expect((await harness.settled(id)).status).toBe('staged');
  const to = { kind: 'registry', registryId, host: programs.host } as const;
  await harness.push(id, { repository: image, tag: '1', ...to });
  expect(await harness.settled(id)).toMatchObject({ status: 'pushed', error: null });
  return `${programs.host}/${image}:1`;
}

it('a second site verifies what was transferred, without us', async () => {
  const [passing, blocked] = [await judged(), await judged('stated', blockedReport())];
  await expect.poll(() => result(passing)).toBe('PASSED');
  await expect.poll(() => result(blocked)).toBe('FAILED');
  const unstated = await judged('silent', cleanReport());
  const { id } = await harness.store.registries.insert({
    ...{ name: 'second site', host: programs.host, useTls: false },
  });
  const [passed, failed, silent] = [
    await transferred(passing, id),
    await transferred(blocked, id),
    await transferred(unstated, id),
  ];
  await api.stop();
  const verify = (version: 'cosign-2' | 'cosign-3', at: string, more: string[]) =>
    programs.run(version, [
      ...['verify-attestation', '--type', 'https://slsa.dev/verification_summary/v1'],
      ...['--key', 'key.pem', '--insecure-ignore-tlog=true', '--policy', 'passed.rego'],
      ...more,
      ...['--allow-http-registry', at],
    ]);
  for (const [version, more] of [
    // Without a network it has to be told of a trusted root, whose keys it does not need.
    ['cosign-2', ['--new-bundle-format=true', '--trusted-root', 'root.json']],
    ['cosign-3', []],
  ] as const)
    for (const [at, isAccepted] of [
      [passed, true],
      [failed, false],
      [silent, false],
    ] as const) {
      const answer = await verify(version, at, [...more]);
      expect(answer.isAccepted, `${version} ${at}: ${answer.output}`).toBe(isAccepted);
    }
});
