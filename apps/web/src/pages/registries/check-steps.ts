import type { RegistryCheck } from '@portcullis/contract';

/** `optional`: it failed, but the registry is usable. */
type StepState = 'passed' | 'failed' | 'optional' | 'skipped';

export interface CheckStep {
  name: 'reachable' | 'authenticated' | 'catalog';
  state: StepState;
}

/** In the order of the checks; those after a failure are skipped. */
export function stepsOf({ reachable, authenticated, catalog }: RegistryCheck): CheckStep[] {
  return [
    { name: 'reachable', state: reachable ? 'passed' : 'failed' },
    { name: 'authenticated', state: !reachable ? 'skipped' : authenticated ? 'passed' : 'failed' },
    { name: 'catalog', state: !authenticated ? 'skipped' : catalog ? 'passed' : 'optional' },
  ];
}
