/** Calls of one turn of the event loop share one request. */

/** Resolves when all that is due in this turn has run. */
export const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** @param send is called with the items of all calls of a turn, each of which ends as it does */
export function perTurn<T>(
  send: (items: T[]) => Promise<unknown>,
): (items: readonly T[]) => Promise<void> {
  let open: { items: T[]; sent: Promise<unknown> } | null = null;

  function begin(): NonNullable<typeof open> {
    const items: T[] = [];
    const sent = endOfTurn().then(() => {
      open = null;
      return send(items);
    });
    return { items, sent };
  }

  return async (items) => {
    open ??= begin();
    open.items.push(...items);
    await open.sent;
  };
}
