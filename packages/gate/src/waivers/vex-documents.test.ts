import type { StoredWaiver } from '@portcullis/store';
import { expect, it } from 'vitest';
import { createVexDocuments } from './vex-documents.ts';

const waiver: StoredWaiver = {
  ...{ id: 'one', status: 'not_affected', state: 'approved', justification: null },
  ...{ vulnerability: 'CVE-2026-1', package: null, packageVersion: null, digest: null },
  ...{ repository: null, folder: 'team', reason: 'none', ticket: null, requestedById: 'ann' },
  ...{ requestedBy: 'ann', approvals: [], vexDocument: null, vexAuthor: null, closed: null },
  review: null,
  byPolicy: false,
  ...{ createdAt: new Date(0), updatedAt: new Date(0), expiresAt: new Date('9999-01-01') },
};

function documentsOf(waivers: StoredWaiver[], coverage = async () => ({ items: [], findings: 0 })) {
  return createVexDocuments({
    store: {
      waivers: { inForce: async () => waivers, coverage },
      reports: { find: async () => null },
    } as never,
    publicHost: () => 'registry.example',
    version: '1.2.3',
    now: () => new Date(),
  });
}

it('of an image say nothing about a waiver of its age', async () => {
  const image = { digest: 'sha256:a', repository: 'team/app', folder: 'team' };
  const age = { ...waiver, id: 'two', vulnerability: 'TOO_YOUNG', digest: 'sha256:a' };
  const { statements } = await documentsOf([waiver, age]).ofImage(image);
  expect(statements.map(({ vulnerability: { name } }) => name)).toEqual(['CVE-2026-1']);
  await expect(documentsOf([age]).ofImage(image)).rejects.toMatchObject({ code: 'VEX_EMPTY' });
});

it.each([
  ['500 waivers', 500, 500, 'VEX_EMPTY'],
  ['one more than a document may have', 501, 0, 'VEX_TOO_LARGE'],
])('of a folder with %s: the queries', async (_, number, queries, code) => {
  let asked = 0;
  const waivers = Array.from({ length: number }, () => waiver);
  const documents = documentsOf(waivers, async () => {
    asked += 1;
    return { items: [], findings: 0 };
  });
  await expect(documents.ofFolder('team')).rejects.toMatchObject({ code });
  expect(asked).toBe(queries);
});
