import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { BatchImage, ImageDocument } from './batch.ts';
import { batchCycloneDx } from './batch-cyclonedx.ts';
import { batchSarif } from './batch-sarif.ts';
import { batchSpdx } from './batch-spdx.ts';

const FAULT = 'it is too large';

function image(name: string, document: object | string | null): BatchImage {
  const open = async (): Promise<ImageDocument> =>
    document === null || typeof document === 'string'
      ? { fault: document }
      : { content: Readable.from([Buffer.from(JSON.stringify(document))]) };
  return {
    ...{ name, repository: name, pinned: null, outcome: 'pushed', code: null, reason: null },
    open,
  };
}

const batch = (...images: BatchImage[]) => ({
  ...{ category: 'transfer/a/b', name: 'Transfer 1', at: new Date('2026-11-24T08:00:00Z') },
  images,
});

const written = async (document: AsyncIterable<string>) => JSON.parse(await text(document));

it('SARIF has the runs as they are, and says of which image there is no report', async () => {
  const run = { tool: { driver: { name: 'Trivy' } }, results: [], properties: { n: 1 } };
  const images = [image('a', { version: '2.1.0', runs: [run, run] }), image('b', FAULT)];
  const { version, runs } = await written(batchSarif(batch(...images)));
  expect(version).toBe('2.1.0');
  expect(runs.slice(1, 3)).toEqual([run, run]);
  expect(runs[3]).toMatchObject({
    automationDetails: { id: 'portcullis/transfer/a/b/b/' },
    invocations: [
      {
        executionSuccessful: false,
        toolExecutionNotifications: [{ message: { text: `b: ${FAULT}` } }],
      },
    ],
  });
  expect(runs).toHaveLength(4);
});

it('SARIF has one rule for each reason of a block, and refers to it', async () => {
  const blocked = (name: string, code: string) => ({
    ...image(name, null),
    outcome: 'blocked',
    code,
  });
  const images = [blocked('a', 'X'), blocked('b', 'Y'), blocked('c', 'X')];
  const [run] = (await written(batchSarif(batch(...images)))).runs;
  expect(run.tool.driver.rules).toEqual([{ id: 'X' }, { id: 'Y' }]);
  const rules = run.results.map(({ ruleId, ruleIndex }: { ruleId: string; ruleIndex: number }) => [
    ruleId,
    ruleIndex,
  ]);
  expect(rules).toEqual([
    ['X', 0],
    ['Y', 1],
    ['X', 0],
  ]);
});

it('CycloneDX keeps equal references of images apart', async () => {
  const bom = {
    specVersion: '1.6',
    metadata: { tools: [{ name: 'trivy' }], component: { 'bom-ref': 'root', name: 'image' } },
    components: [{ 'bom-ref': 'package', name: 'openssl' }],
    dependencies: [{ ref: 'root', dependsOn: ['package'] }, { ref: 'package' }],
    vulnerabilities: [{ id: 'CVE-1', affects: [{ ref: 'package' }] }],
  };
  const images = [image('a', bom), image('b', FAULT), image('c', bom)];
  const made = await written(batchCycloneDx(batch(...images)));
  expect(made).toMatchObject({ specVersion: '1.6', metadata: { tools: [{ name: 'trivy' }] } });
  const refs = made.components.map((each: { 'bom-ref': string }) => each['bom-ref']);
  expect(refs).toEqual(['1/root', '1/package', '2/', '3/root', '3/package']);
  expect(made.components[2].properties).toContainEqual({
    name: 'portcullis:report',
    value: FAULT,
  });
  expect(made.dependencies).toEqual([
    { ref: '1/root', dependsOn: ['1/package'] },
    { ref: '1/package' },
    { ref: '3/root', dependsOn: ['3/package'] },
    { ref: '3/package' },
    { ref: 'batch', dependsOn: ['1/root', '2/', '3/root'] },
  ]);
  expect(made.vulnerabilities).toEqual([
    { id: 'CVE-1', affects: [{ ref: '1/package' }] },
    { id: 'CVE-1', affects: [{ ref: '3/package' }] },
  ]);
});

it('SPDX keeps equal identifiers of images apart, and has each licence once', async () => {
  const spdx = {
    creationInfo: { creators: ['Tool: trivy'] },
    packages: [{ SPDXID: 'SPDXRef-Image', name: 'image', primaryPackagePurpose: 'CONTAINER' }],
    hasExtractedLicensingInfos: [{ licenseId: 'LicenseRef-1' }],
    relationships: [
      {
        spdxElementId: 'SPDXRef-DOCUMENT',
        relatedSpdxElement: 'SPDXRef-Image',
        relationshipType: 'DESCRIBES',
      },
    ],
  };
  const images = [image('a', spdx), image('b', FAULT), image('c', spdx)];
  const made = await written(batchSpdx(batch(...images)));
  expect(made.creationInfo).toEqual({
    creators: ['Tool: trivy', 'Tool: portcullis'],
    created: '2026-11-24T08:00:00Z',
  });
  expect(
    made.packages.map(({ SPDXID, comment }: { SPDXID: string; comment: string }) => [
      SPDXID,
      comment,
    ]),
  ).toEqual([
    ['SPDXRef-1-Image', 'Outcome: pushed'],
    ['SPDXRef-2-Image', `Outcome: pushed\n${FAULT}`],
    ['SPDXRef-3-Image', 'Outcome: pushed'],
  ]);
  expect(made.hasExtractedLicensingInfos).toHaveLength(1);
  expect(
    made.relationships.map((each: { relatedSpdxElement: string }) => each.relatedSpdxElement),
  ).toEqual(['SPDXRef-1-Image', 'SPDXRef-2-Image', 'SPDXRef-3-Image']);
});

it('a document of images without any report is complete', async () => {
  const images = [image('a', null)];
  expect(await written(batchCycloneDx(batch(...images)))).toMatchObject({ specVersion: '1.7' });
  expect(await written(batchSpdx(batch(...images)))).toMatchObject({ spdxVersion: 'SPDX-2.3' });
  expect((await written(batchSarif(batch()))).runs).toHaveLength(1);
});
