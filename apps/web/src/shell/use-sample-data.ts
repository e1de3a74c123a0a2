import { useAnswer } from '../api/api.ts';

/** The banner of dependencies asks again. */
const FRESH_MS = 60_000;

/** Whether the operator marked images and vulnerabilities as made up. */
export function useSampleData(): boolean {
  const { data } = useAnswer('system.dependencyHealth', undefined, {
    staleTime: FRESH_MS,
    retry: false,
  });
  return data?.sample_data === true;
}
