/** The lines of a virtualized list, with gaps for those that are not in the document. */

interface Line {
  index: number;
  start: number;
  end: number;
}

export interface Place {
  key: string;
  /** Of a line; null: a gap. */
  index: number | null;
  size: number;
}

/**
 * @param from where the first line of the list begins
 * @param to where the last one ends
 */
export function withGaps(lines: readonly Line[], from: number, to: number): Place[] {
  const places: Place[] = [];
  let reached = from;
  const fill = (start: number, next: string) => {
    if (start > reached) places.push({ key: `before ${next}`, index: null, size: start - reached });
  };
  for (const { index, start, end } of lines) {
    fill(start, String(index));
    places.push({ key: String(index), index, size: end - start });
    reached = end;
  }
  fill(to, 'the end');
  return places;
}
