/** The axes of a bar chart: round values, the days that get a label, and the parts of a bar. */

/** About four lines, at 1, 2 or 5 times a power of ten; counts have no fractions. */
export function axisValues(highest: number): number[] {
  const rough = Math.max(1, highest) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((s) => s >= rough) ?? 1);
  const lines = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: lines + 1 }, (_, line) => line * step);
}

export interface LabelledDay {
  index: number;
  /** The year differs from that of the label before. */
  newYear: boolean;
}

/** The last day always has a label; each label has at least `room` pixels. */
export function labelledDays(days: readonly string[], width: number, room: number): LabelledDay[] {
  const step = Math.max(1, Math.ceil((room * days.length) / Math.max(1, width)));
  const last = days.length - 1;
  const indexes = days.map((_, index) => index).filter((index) => (last - index) % step === 0);
  const yearOf = (index: number | undefined) => days[index ?? -1]?.slice(0, 4);
  return indexes.map((index, at) => ({
    index,
    newYear: at > 0 && yearOf(index) !== yearOf(indexes[at - 1]),
  }));
}

export interface BarPart {
  name: string;
  y: number;
  height: number;
}

/** From the bottom up. A part that is not zero is at least one pixel high. */
export function barParts(
  values: readonly (readonly [name: string, value: number])[],
  top: number,
  height: number,
): BarPart[] {
  let below = 0;
  return values
    .filter(([, value]) => value > 0)
    .map(([name, value]) => {
      const size = Math.max(1, (value / top) * height);
      below += size;
      return { name, y: height - below, height: size };
    });
}
