import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/api.ts';

/** The banner of dependencies asks again. */
const FRESH_MS = 60_000;

/** Whether the operator marked images and vulnerabilities as made up. */
export function useSampleData(): boolean {
  const { data } = useQuery({
    ...ask('system.dependencyHealth'),
    staleTime: FRESH_MS,
    retry: false,
  });
  return data?.sample_data === true;
}
