import { PasswordInput, TextInput } from '@mantine/core';
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
export function NullableTextField({
  description,
  fault,
  value,
  onChange,
  className,
  ...rest
}: NullableFieldProps) {
  return (
    <TextInput
      {...rest}
      {...(className && { className })}
      {...(description && { description })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value ?? ''}
      error={fault}
      onChange={(event) => onChange(orNull(event.currentTarget.value))}
    />
  );
}

const MASK = '********';

/** A stored secret is never shown: typing replaces it. */
export function SecretField({
  description,
  fault,
  value,
  onChange,
  className,
  ...rest
}: NullableFieldProps) {
  return (
    <PasswordInput
      {...rest}
      {...(className && { className })}
      {...(value === MASK && description && { description })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="new-password"
      value={value ?? ''}
      error={fault}
      onFocus={(event) => value === MASK && event.currentTarget.select()}
      onChange={(event) => onChange(orNull(event.currentTarget.value))}
    />
  );
}
