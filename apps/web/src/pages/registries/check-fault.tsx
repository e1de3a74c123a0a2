/** Why the test of a registry failed. */
import type { RegistryCheck } from '@portcullis/contract';
import { JobFault } from '../../kit/fault/job-fault.tsx';

export function CheckFault({ check }: { check: Pick<RegistryCheck, 'code' | 'message'> }) {
  return <JobFault fault={{ code: check.code ?? '', message: check.message }} />;
}
