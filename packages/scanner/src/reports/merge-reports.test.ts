import { describe, expect, it } from 'vitest';
import { mergeCycloneDx } from './merge-cyclonedx.ts';
import { mergeSarif } from './merge-sarif.ts';
import { mergeSpdx } from './merge-spdx.ts';
import { type Document, labelPlatforms, type MergedImage, purlOf } from './report-part.ts';

const NAME = {
  registry: 'registry.example:5000',
  repository: 'team/app',
  tag: '1.0',
  digest: `sha256:${'a'.repeat(64)}`,
};
const TITLE = `registry.example:5000/team/app:1.0@${NAME.digest}`;

function imageOf(...documents: object[]): MergedImage {
  const labels = ['linux/amd64', 'linux/arm64/v8'];
  const parts = documents.map((document, at) => ({
    label: labels[at] ?? `linux/${at}`,
    digest: `sha256:${at}`,
    load: async (): Promise<unknown> => structuredClone(document),
  }));
  return { name: NAME, parts };
}

async function merged(document: Document) {
  let text = '';
  for await (const chunk of document) text += chunk;
  return JSON.parse(text);
}

describe('labels of platforms', () => {
  const at = (platform: string | null, digit: string) => ({
    platform,
    digest: `sha256:${digit.repeat(64)}`,
  });

  it.each([
    [
      'are the platforms',
      [at('linux/amd64', '1'), at('linux/arm/v7', '2')],
      ['linux/amd64', 'linux/arm/v7'],
    ],
    [
      'name the digest of twins',
      [at('windows/amd64', '1'), at('windows/amd64', '2')],
      ['windows/amd64-111111111111', 'windows/amd64-222222222222'],
    ],
    [
      'name the digest of twins of an identifier',
      [at('linux/arm_v7', '1'), at('linux/arm/v7', '2')],
      ['linux/arm_v7-111111111111', 'linux/arm/v7-222222222222'],
    ],
    [
      'say where nothing is known',
      [at(null, '1'), at('linux/arm64', '2')],
      ['unknown', 'linux/arm64'],
    ],
  ])('%s', (_, reports, labels) => {
    expect(labelPlatforms(reports).map(({ label }) => label)).toEqual(labels);
  });
});

it('a package URL has the registry and the tag as qualifiers', () => {
  expect(purlOf(NAME)).toBe(
    `pkg:oci/app@sha256%3A${'a'.repeat(64)}?repository_url=registry.example%3A5000%2Fteam%2Fapp&tag=1.0`,
  );
});

describe('SARIF', () => {
  const run = {
    tool: { driver: { name: 'Trivy' } },
    results: [],
    properties: { imageID: 'sha256:1' },
  };
  const document = { version: '2.1.0', $schema: 'https://example.org', runs: [run] };

  it('has a run for each platform, with its category', async () => {
    const { version, runs } = await merged(mergeSarif(imageOf(document, document)));
    expect(version).toBe('2.1.0');
    expect(runs).toMatchObject([
      {
        automationDetails: { id: 'portcullis/registry.example:5000/team/app:1.0/linux/amd64/' },
        properties: { imageID: 'sha256:1', imageName: TITLE, platform: 'linux/amd64' },
      },
      { properties: { platform: 'linux/arm64/v8', manifestDigest: 'sha256:1' } },
    ]);
  });
});

describe('CycloneDX', () => {
  const flaw = { id: 'CVE-1', ratings: [{ severity: 'high' }], affects: [{ ref: 'pkg:npm/a@1' }] };
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.7',
    serialNumber: 'urn:uuid:1',
    metadata: { timestamp: 't', component: { 'bom-ref': 'root', type: 'container', name: TITLE } },
    components: [{ 'bom-ref': 'pkg:npm/a@1', name: 'a', properties: [{ name: 'x', value: 'y' }] }],
    dependencies: [{ ref: 'root', dependsOn: ['pkg:npm/a@1'] }],
    vulnerabilities: [flaw],
  };

  it('distinguishes the same package of two platforms by its reference and a property', async () => {
    const { metadata, components, dependencies, ...rest } = await merged(
      mergeCycloneDx(imageOf(document, document)),
    );
    expect(rest).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.7' });
    expect(rest.serialNumber).not.toBe('urn:uuid:1');
    expect(metadata).toMatchObject({
      timestamp: 't',
      component: { name: TITLE, purl: purlOf(NAME) },
    });
    expect(components.map((each: Record<string, unknown>) => each['bom-ref'])).toEqual([
      'linux/amd64#root',
      'linux/amd64#pkg:npm/a@1',
      'linux/arm64/v8#root',
      'linux/arm64/v8#pkg:npm/a@1',
    ]);
    expect(components[3].properties).toEqual([
      { name: 'x', value: 'y' },
      { name: 'portcullis:platform', value: 'linux/arm64/v8' },
    ]);
    expect(dependencies.at(-1)).toEqual({
      ref: purlOf(NAME),
      dependsOn: ['linux/amd64#root', 'linux/arm64/v8#root'],
    });
  });

  it('lists a vulnerability of two platforms once, and different ones separately', async () => {
    const other = {
      ...document,
      vulnerabilities: [flaw, { ...flaw, ratings: [{ severity: 'low' }] }],
    };
    const { vulnerabilities } = await merged(mergeCycloneDx(imageOf(document, other)));
    expect(vulnerabilities).toEqual([
      {
        ...flaw,
        affects: [{ ref: 'linux/amd64#pkg:npm/a@1' }, { ref: 'linux/arm64/v8#pkg:npm/a@1' }],
      },
      { ...flaw, ratings: [{ severity: 'low' }], affects: [{ ref: 'linux/arm64/v8#pkg:npm/a@1' }] },
    ]);
  });
});

describe('SPDX', () => {
  const document = {
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'one',
    documentNamespace: 'http://example.org/one',
    creationInfo: { creators: ['Tool: trivy-1'], created: 't' },
    packages: [
      { SPDXID: 'SPDXRef-Image', name: TITLE },
      { SPDXID: 'SPDXRef-a', name: 'a', hasFiles: ['SPDXRef-File-1'] },
    ],
    files: [{ SPDXID: 'SPDXRef-File-1', fileName: 'a' }],
    hasExtractedLicensingInfos: [{ licenseId: 'LicenseRef-1', extractedText: 'x' }],
    relationships: [
      {
        spdxElementId: 'SPDXRef-DOCUMENT',
        relatedSpdxElement: 'SPDXRef-Image',
        relationshipType: 'DESCRIBES',
      },
      { spdxElementId: 'SPDXRef-a', relatedSpdxElement: 'NONE', relationshipType: 'DEPENDS_ON' },
    ],
  };

  it('describes each platform, with distinct identifiers', async () => {
    const both = await merged(mergeSpdx(imageOf(document, document)));
    expect(both).toMatchObject({ spdxVersion: 'SPDX-2.3', name: TITLE, files: [{}, {}] });
    expect(both.documentNamespace).toMatch(/^urn:uuid:/);
    expect(both.packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID)).toEqual([
      'SPDXRef-linux-amd64-Image',
      'SPDXRef-linux-amd64-a',
      'SPDXRef-linux-arm64-v8-Image',
      'SPDXRef-linux-arm64-v8-a',
    ]);
    expect(both.packages[2].comment).toBe('Platform linux/arm64/v8, manifest sha256:1');
    expect(both.packages[3]).toMatchObject({ hasFiles: ['SPDXRef-linux-arm64-v8-File-1'] });
    expect(both.packages[3].comment).toBeUndefined();
    expect(both.relationships.slice(2)).toEqual([
      {
        spdxElementId: 'SPDXRef-DOCUMENT',
        relatedSpdxElement: 'SPDXRef-linux-arm64-v8-Image',
        relationshipType: 'DESCRIBES',
      },
      {
        spdxElementId: 'SPDXRef-linux-arm64-v8-a',
        relatedSpdxElement: 'NONE',
        relationshipType: 'DEPENDS_ON',
      },
    ]);
    expect(both.hasExtractedLicensingInfos).toHaveLength(1);
  });
});
