import { expect, it } from 'vitest';
import { redisFamily } from './family.ts';

it.each([
  ["READONLY You can't write against a read only replica.", true],
  [
    'UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)',
    true,
  ],
  ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", true],
  ['NOREPLICAS Not enough good replicas to write.', true],
  ['LOADING Redis is loading the dataset in memory', true],
  ['ERR Error running script: @user_script: 1: -READONLY You cannot write', true],
  ['READONLY You cannot write. script: 4f2c, on @user_script:1.', true],
  ['OOM command not allowed when used memory > maxmemory', false],
  ['MISCONF Redis is configured to save RDB snapshots', false],
  ['WRONGTYPE Operation against a key', false],
  ['ERR value is READONLYish', false],
])('whether the connection is opened again after “%s”', (message, outdated) => {
  expect(redisFamily().isOutdated(new Error(message))).toBe(outdated);
});
