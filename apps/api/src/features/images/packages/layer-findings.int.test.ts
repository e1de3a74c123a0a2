/** The findings of each layer in the details of an image, from its stored report. */

import type { Severity, SeverityCounts } from '@portcullis/domain';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedImages, single, startImages } from '../images.fixture.ts';

let started: StartedImages;

beforeAll(async () => {
  started = await startImages();
});
afterAll(() => started?.stop());

const NONE = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };

const within = (layerDigest: string, severity: Severity) => ({
  ...{ name: 'openssl', installedVersion: '1', fixedVersion: null, status: 'affected', severity },
  ...{ target: 'debian', path: null, purl: null, layerDigest, platform: null },
});

it('each layer has the counts of what it brought, null without a report', async () => {
  const { ann, api, push } = started;
  const image = await single();
  await push('team/layers', '1', image);
  const counts = async (): Promise<(SeverityCounts | null)[]> => {
    const detail = await json(
      ann.get('/api/images/__local__/tags/detail?repository=team/layers&tag=1'),
    );
    return detail.layers.map(({ findings }: { findings: SeverityCounts | null }) => findings);
  };
  expect(await counts()).toEqual([null, null]);
  const [layer = ''] = image.blobs.map(({ descriptor }) => descriptor.digest).slice(-1);
  await api.store.reports.record({
    digest: image.digest,
    scannedAt: new Date(),
    report: {
      ...{ coverage: 'full', notes: [], os: null, targets: [] },
      vulnerabilities: [
        {
          ...{ id: 'CVE-1', severity: 'HIGH', title: null, cvssScore: null, cvssVector: null },
          ...{ cvssSource: null, primaryUrl: null, publishedAt: null },
          packages: [within(layer, 'HIGH'), within(layer, 'LOW')],
        },
      ],
      scanner: { name: 'trivy', version: '1', dbUpdatedAt: null },
    },
  });
  expect(await counts()).toEqual([NONE, { ...NONE, HIGH: 1 }]);
});
