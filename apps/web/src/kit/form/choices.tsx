/** A select of a few named values of one type. */
import { Radio, SegmentedControl, Select, type SelectProps, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';

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

/** A choice of one of few, below each other, of which each may say what it does. */
type Choice = string | { name: string; effect: string };

interface ChoiceRadiosProps<T extends string> {
  label: string;
  description?: string;
  /** In the order in which they are shown. */
  choices: Readonly<Record<T, Choice>>;
  value: T;
  onChange(value: T): void;
  error?: string | undefined;
}

export function ChoiceRadios<T extends string>(props: ChoiceRadiosProps<T>) {
  const { choices, value, onChange, ...group } = props;
  const values = Object.keys(choices).filter((each): each is T => Object.hasOwn(choices, each));
  return (
    <Radio.Group
      {...group}
      value={value}
      onChange={(chosen) => onChange(values.find((each) => each === chosen) ?? value)}
    >
      <Stack gap={6} mt={6}>
        {values.map((each) => {
          const { name, effect } = inWords(choices[each]);
          return <Radio key={each} value={each} label={name} description={effect} />;
        })}
      </Stack>
    </Radio.Group>
  );
}

function inWords(choice: Choice): { name: string; effect?: string } {
  return typeof choice === 'string' ? { name: choice } : choice;
}
