/** The order of a list as the API writes it: the name of a column, with `-` where it descends. */

interface SortColumn {
  column: string;
  descending: boolean;
}

export function sortColumn(order: string): SortColumn {
  const descending = order.startsWith('-');
  return { column: descending ? order.slice(1) : order, descending };
}

/** The order after a click on the heading: another column starts with its first direction. */
export function nextOrder(order: string, column: string, descendsFirst = false): string {
  const now = sortColumn(order);
  const descending = now.column === column ? !now.descending : descendsFirst;
  return descending ? `-${column}` : column;
}

export function ariaSort(order: string, column: string): 'ascending' | 'descending' | undefined {
  const now = sortColumn(order);
  if (now.column !== column) return undefined;
  return now.descending ? 'descending' : 'ascending';
}
