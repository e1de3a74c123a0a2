import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const MASK = '********';

interface SecretFieldProps extends PasswordInputProps {
  /** Where one is stored. */
  description: string;
}

/** A stored secret is never shown: typing replaces it. */
export function SecretField({ description, ...props }: SecretFieldProps) {
  const isStored = props.value === MASK;
  return (
    <PasswordInput
      {...props}
      description={isStored && description}
      autoComplete="new-password"
      onFocus={(event) => isStored && event.currentTarget.select()}
    />
  );
}
