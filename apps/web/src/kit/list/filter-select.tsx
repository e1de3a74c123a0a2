import { Select } from '@mantine/core';

interface FilterSelectProps<V extends string> {
  label: string;
  values: readonly V[];
  names: Readonly<Record<V, string>>;
  value: V | null;
  /** The name of no choice; absent: there is always one. */
  any?: string;
  onChange(value: V | null): void;
}

/** A filter by one of a few values. */
export function FilterSelect<V extends string>(props: FilterSelectProps<V>) {
  const { label, values, names, value, any, onChange } = props;
  return (
    <Select
      aria-label={label}
      placeholder={any}
      data={values.map((each) => ({ value: each, label: names[each] }))}
      value={value}
      clearable={any !== undefined}
      clearButtonProps={{ 'aria-label': any }}
      allowDeselect={any !== undefined}
      onChange={(chosen) => onChange(values.find((each) => each === chosen) ?? null)}
    />
  );
}
