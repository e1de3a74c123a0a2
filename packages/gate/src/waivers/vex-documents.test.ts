import type { StoredWaiver } from '@portcullis/store';
import { expect, it } from 'vitest';
import { createVexDocuments } from './vex-documents.ts';

const waiver: StoredWaiver = {
  ...{ id: 'one', status: 'not_affected', state: 'approved', justification: null },
  ...{ vulnerability: 'CVE-2026-1', package: null, packageVersion: null, digest: null },
  ...{ repository: null, folder: 'team', reason: 'none', ticket: null, requestedById: 'ann' },
  ...{ requestedBy: 'ann', approvals: [], vexDocument: null, vexAuthor: null, closed: null },
  review: null,
  ...{ createdAt: new Date(0), updatedAt: new Date(0), expiresAt: new Date('9999-01-01') },
};

it.each([
  ['500 waivers', 500, 500, 'VEX_EMPTY'],
  ['one more than a document may have', 501, 0, 'VEX_TOO_LARGE'],
])('of a folder with %s: the queries', async (_, number, queries, code) => {
  let asked = 0;
  const documents = createVexDocuments({
    store: {
      waivers: {
        inForce: async () => Array.from({ length: number }, () => waiver),
        async coverage() {
          asked += 1;
          return { items: [], findings: 0 };
        },
      },
      reports: { find: async () => null },
    } as never,
    publicHost: () => 'registry.example',
    version: '1.2.3',
    now: () => new Date(),
  });
  await expect(documents.ofFolder('team')).rejects.toMatchObject({ code });
  expect(asked).toBe(queries);
});
