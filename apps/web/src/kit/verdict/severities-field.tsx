/** A choice of several severities. */
import { Checkbox, type CheckboxGroupProps, Group } from '@mantine/core';
import { SEVERITIES, type Severity } from '@portcullis/domain';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';

interface SeveritiesFieldProps
  extends Omit<CheckboxGroupProps<string>, 'value' | 'onChange' | 'children'> {
  value: readonly Severity[];
  onChange(value: Severity[]): void;
  /** Those that may not be left out. */
  locked?: readonly Severity[];
  children?: ReactNode;
}

export function SeveritiesField(props: SeveritiesFieldProps) {
  const { value, onChange, locked = [], children, ...group } = props;
  const { severity } = useMessages('verdict');
  return (
    <Checkbox.Group
      {...group}
      value={SEVERITIES.filter((each) => value.includes(each) || locked.includes(each))}
      onChange={(chosen) => onChange(SEVERITIES.filter((each) => chosen.includes(each)))}
    >
      <Group gap="lg" mt={8}>
        {SEVERITIES.map((each) => (
          <Checkbox
            key={each}
            value={each}
            label={severity[each]}
            disabled={locked.includes(each)}
          />
        ))}
      </Group>
      {children}
    </Checkbox.Group>
  );
}
