/** What a bar chart shows. */

export interface ChartDay {
  /** `2026-11-21` */
  day: string;
  /** By the names of the series; null if the day has no data, which is not the same as zero. */
  values: Record<string, number> | null;
}

export interface ChartSeries {
  name: string;
  label: string;
  color: string;
}

export interface DayFigure {
  label: string;
  value: string | null;
  color: string | null;
}
