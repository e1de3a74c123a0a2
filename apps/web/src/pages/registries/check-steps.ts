import type { RegistryCheck } from '@portcullis/contract';

/** `optional`: it said no, and one can work with it all the same. */
export type StepState = 'passed' | 'failed' | 'optional' | 'skipped';

export interface CheckStep {
  name: 'reachable' | 'authenticated' | 'catalog';
  state: StepState;
}

/** In the order in which they are tried: after the first failure the rest says nothing. */
export function stepsOf({ reachable, authenticated, catalog }: RegistryCheck): CheckStep[] {
  return [
    { name: 'reachable', state: reachable ? 'passed' : 'failed' },
    { name: 'authenticated', state: !reachable ? 'skipped' : authenticated ? 'passed' : 'failed' },
    { name: 'catalog', state: !authenticated ? 'skipped' : catalog ? 'passed' : 'optional' },
  ];
}
