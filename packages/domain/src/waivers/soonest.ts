/** The first of the moments, any of which may be none. */
export function soonestOf(moments: readonly (Date | null | undefined)[]): Date | null {
  const known = moments.flatMap((moment) => moment?.getTime() ?? []);
  return known.length === 0 ? null : new Date(Math.min(...known));
}
