/** The order of a list in a parameter of the address, beside the others. */
import { useSearchParams } from 'react-router';

/** @returns the parameter as it is, and what changes it */
export function useOrderParameter(
  parameter = 'sort',
): readonly [string | null, (order: string) => void] {
  const [search, setSearch] = useSearchParams();
  const change = (order: string) =>
    setSearch(
      (now) => {
        now.set(parameter, order);
        return now;
      },
      { replace: true },
    );
  return [search.get(parameter), change];
}
