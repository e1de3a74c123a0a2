import {
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { orNull } from './draft.ts';

interface NullableFieldProps {
  label: string;
  description?: string;
  placeholder?: string;
  value: string | null;
  fault: string | undefined;
  className?: string | undefined;
  onChange(value: string | null): void;
}

/** A text setting that may be null. */
export function NullableTextField(props: NullableFieldProps) {
  return <TextInput {...inputProps(props)} />;
}

const MASK = '********';

/** A stored secret is never shown: typing replaces it. */
export function SecretField({ description, ...rest }: NullableFieldProps) {
  const isStored = rest.value === MASK;
  return (
    <PasswordInput
      {...inputProps({ ...rest, ...(isStored && description && { description }) })}
      autoComplete="new-password"
      onFocus={(event) => isStored && event.currentTarget.select()}
    />
  );
}

function inputProps({
  value,
  fault,
  className,
  onChange,
  ...texts
}: NullableFieldProps): TextInputProps & PasswordInputProps {
  return {
    ...texts,
    ...(className && { className }),
    inputWrapperOrder: ['label', 'input', 'description', 'error'],
    value: value ?? '',
    error: fault,
    onChange: (event) => onChange(orNull(event.currentTarget.value)),
  };
}
