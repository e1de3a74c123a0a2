import { useEffect, useRef } from 'react';
import classes from './table.module.css';

interface RowCheckboxProps {
  label: string;
  checked: boolean;
  /** Some of the rows below it. */
  partly?: boolean;
  onToggle(range: boolean): void;
}

/** A checkbox with the hit area of its whole cell. */
export function RowCheckbox({ label, checked, partly = false, onToggle }: RowCheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = partly;
  }, [partly]);
  return (
    <label className={classes.choose} data-words={label}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={() => undefined}
        onClick={(event) => onToggle(event.shiftKey)}
      />
    </label>
  );
}
