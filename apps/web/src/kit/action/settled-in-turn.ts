/**
 * One request after the other, also after one that failed. Until the last one the browser asks
 * before it closes the page, with which the others would be lost.
 */
export async function settledInTurn<Row, Answer>(
  rows: readonly Row[],
  request: (row: Row) => Promise<Answer>,
): Promise<PromiseSettledResult<Answer>[]> {
  const ask = (event: Event) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  const results: PromiseSettledResult<Answer>[] = [];
  for (const row of rows) results.push(...(await Promise.allSettled([request(row)])));
  window.removeEventListener('beforeunload', ask);
  return results;
}
