import { expect, it } from 'vitest';
import { returnFromLostStorage } from './lost-storage.ts';

it.each([
  ['requests none after an outage of the database', [false], 0],
  ['skips those that it found directly after the outage', [true, false], 1],
])('%s', async (_, steady, expected) => {
  let asked = 0;
  const never = async () => {
    throw new Error('a job was moved');
  };
  await returnFromLostStorage({
    jobs: {
      jobsOnLostStorage: async () => {
        asked += 1;
        return [
          {
            id: 'a-job',
            ownerId: 'an-account',
            status: 'staged',
            fence: 1,
            storageId: 'a-storage',
          },
        ];
      },
      update: never,
    },
    isSteady: () => steady.shift() ?? false,
    dispatch: never,
    publish: never,
    now: () => new Date(),
    log: { warn: () => {} },
  });
  expect(asked).toBe(expected);
});
