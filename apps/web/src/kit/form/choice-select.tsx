/** A select of a few named values of one type. */
import { Select } from '@mantine/core';

interface ChoiceSelectProps<T extends string> {
  /** Absent where an outer label names it by `id`. */
  label?: string;
  id?: string;
  /** Where no label is visible. */
  'aria-label'?: string;
  className?: string | undefined;
  /** By value, in the order of the list. */
  names: Readonly<Record<T, string>>;
  value: T;
  onChange(value: T): void;
}

export function ChoiceSelect<T extends string>({
  names,
  value,
  onChange,
  className = '',
  ...rest
}: ChoiceSelectProps<T>) {
  const values = Object.keys(names).filter((each): each is T => Object.hasOwn(names, each));
  return (
    <Select
      {...rest}
      className={className}
      data={values.map((each) => ({ value: each, label: names[each] }))}
      value={value}
      onChange={(chosen) => onChange(values.find((each) => each === chosen) ?? value)}
      allowDeselect={false}
    />
  );
}
