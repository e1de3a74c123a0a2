import { expect, it } from 'vitest';
import { VERDICTS } from '../policy/vulnerability.ts';
import { VERDICTS_BY_URGENCY } from './job-order.ts';

it('a list of jobs by verdict has each verdict once', () => {
  expect([...VERDICTS_BY_URGENCY].sort()).toEqual([...VERDICTS].sort());
});
