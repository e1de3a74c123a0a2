import { useId } from 'react';
import classes from './segments.module.css';

interface SegmentsProps<V extends string> {
  label: string;
  options: { value: V; label: string }[];
  value: V;
  onChange(value: V): void;
}

/** A choice of one of few, side by side: radio buttons, without JavaScript of their own. */
export function Segments<V extends string>({ label, options, value, onChange }: SegmentsProps<V>) {
  const name = useId();
  return (
    <div className={classes.segments} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
