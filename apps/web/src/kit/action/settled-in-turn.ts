/** One request after the other, also after one that failed. */
export async function settledInTurn<Row, Answer>(
  rows: readonly Row[],
  request: (row: Row) => Promise<Answer>,
): Promise<PromiseSettledResult<Answer>[]> {
  const results: PromiseSettledResult<Answer>[] = [];
  for (const row of rows) results.push(...(await Promise.allSettled([request(row)])));
  return results;
}
