/** Which approved waivers are in force: the query and the rule of requests say the same. */
import { expect, it } from 'vitest';
import { expectAgreement, inForce, startStore, store, waiverOf } from './waiver-rights.fixture.ts';

startStore();

it('for every two rights', () => expectAgreement(2));

it('no longer by the right to bring in once the folder is no mirror', async () => {
  const { waiverId, folderId } = await waiverOf('was', new Set(['isMirror', 'canPullExternal']));
  expect(await inForce()).toContain(waiverId);
  await store.folders.update(folderId, { mirror: null });
  expect(await inForce()).not.toContain(waiverId);
});
