/** A select of a few named values of one type. */
import { Select, type SelectProps } from '@mantine/core';

interface ChoiceSelectProps<T extends string>
  extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** By value, in the order of the list. */
  names: Readonly<Record<T, string>>;
  value: T;
  onChange(value: T): void;
}

export function ChoiceSelect<T extends string>(props: ChoiceSelectProps<T>) {
  const { names, value, onChange, ...select } = props;
  const values = Object.keys(names).filter((each): each is T => Object.hasOwn(names, each));
  return (
    <Select
      {...select}
      data={values.map((each) => ({ value: each, label: names[each] }))}
      value={value}
      onChange={(chosen) => onChange(values.find((each) => each === chosen) ?? value)}
      allowDeselect={false}
    />
  );
}
