import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';

interface ChoiceFieldProps<T extends string> {
  label: string;
  values: readonly T[];
  names: Readonly<Record<T, string>>;
  value: T;
  onChange(value: T): void;
}

/** A choice between a few options, stacked on narrow screens. */
export function ChoiceField<T extends string>({
  label,
  values,
  names,
  value,
  onChange,
}: ChoiceFieldProps<T>) {
  const narrow = useMediaQuery('(max-width: 30em)') ?? false;
  return (
    <SegmentedControl
      fullWidth
      orientation={narrow && values.length > 2 ? 'vertical' : 'horizontal'}
      aria-label={label}
      data={values.map((each) => ({ value: each, label: names[each] }))}
      value={value}
      onChange={(chosen) => onChange(values.find((each) => each === chosen) ?? value)}
    />
  );
}
