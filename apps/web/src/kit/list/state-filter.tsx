import { Segments } from '../form/segments.tsx';
import classes from './list.module.css';

interface StateFilterProps<V extends string> {
  /** What the states are of. */
  label: string;
  names: Readonly<Record<V, string>>;
  values: readonly V[];
  value: V;
  onChange(value: V): void;
}

/** A filter by one of few states, side by side. */
export function StateFilter<V extends string>({ names, values, ...field }: StateFilterProps<V>) {
  return (
    <div className={classes.states}>
      <Segments options={values.map((value) => ({ value, label: names[value] }))} {...field} />
    </div>
  );
}
