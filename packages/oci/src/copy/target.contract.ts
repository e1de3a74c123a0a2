/** Runs the target contract as tests. */
import { afterEach, beforeEach, describe, it } from 'vitest';
import { TARGET_CONTRACT } from '../target-contract/target-contract.ts';
import type { Target } from './content.ts';

export interface OpenedTarget {
  target: Target;
  close(): Promise<void>;
}

export function describeTarget(name: string, open: () => Promise<OpenedTarget>): void {
  describe(`${name} as a target`, () => {
    let opened: OpenedTarget;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    it.each(TARGET_CONTRACT)('$name', ({ run }) => run(opened.target));
  });
}
