import { useEffect, useRef } from 'react';
import classes from './table.module.css';

interface RowCheckboxProps {
  label: string;
  checked: boolean;
  /** Some of the rows below it. */
  partly?: boolean;
  disabled?: boolean;
  /** Why it is disabled. */
  hint?: string | undefined;
  onToggle(range: boolean): void;
}

/** A checkbox with the hit area of its whole cell. */
export function RowCheckbox({ label, checked, partly = false, ...props }: RowCheckboxProps) {
  const { disabled = false, hint, onToggle } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = partly;
  }, [partly]);
  return (
    <label className={classes.choose} data-words={label} title={hint}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        aria-description={hint}
        checked={checked}
        disabled={disabled}
        onChange={() => undefined}
        onClick={(event) => onToggle(event.shiftKey)}
      />
    </label>
  );
}
