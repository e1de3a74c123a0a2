import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'label'> {
  label: string;
  value: string;
  onChange(text: string): void;
}

/**
 * The search field that `/` focuses. It keeps the typed text itself: a value kept in the URL
 * arrives after the next key press and would overwrite it.
 */
export function SearchField({ label, value, onChange, ...rest }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value);
  }, [value]);
  return (
    <TextInput
      ref={field}
      type="search"
      data-search
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(currentTarget.value);
      }}
      {...rest}
    />
  );
}
