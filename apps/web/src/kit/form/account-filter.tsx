/** A filter by account, for administrators: by its name, which a search on the server finds. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { firstOptions } from '../list/first-options.ts';

const SHOWN = 20;

interface AccountFilterProps {
  label: string;
  /** A username; empty for all accounts. */
  value: string;
  onChange(username: string): void;
}

export function AccountFilter({ label, value, onChange }: AccountFilterProps) {
  const t = useMessages('filters');
  const [words, setWords] = useState(value);
  const [isUsed, setUsed] = useState(false);
  const [q] = useDebouncedValue(words === value ? '' : words.trim(), 200);
  const found = useAnswer(
    'users.list',
    { query: { q, limit: SHOWN + 1 } },
    { placeholderData: (previous) => previous, enabled: isUsed },
  );
  const names = (found.data ?? []).map(({ username }) => username);
  // The chosen one is among those shown.
  const offered = value === '' ? names : [value, ...names];
  return (
    <Select
      aria-label={label}
      placeholder={t.anyOwner}
      searchable
      clearable
      data={firstOptions([...new Set(offered)], SHOWN, t.first)}
      value={value === '' ? null : value}
      onChange={(name) => onChange(name ?? '')}
      searchValue={words}
      onSearchChange={setWords}
      onFocus={() => setUsed(true)}
    />
  );
}
