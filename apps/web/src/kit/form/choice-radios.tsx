/** A choice of one of few, below each other, of which each may say what it does. */
import { Radio, Stack } from '@mantine/core';

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
