/** Selects an account by server-side search. */

import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Ref, useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { firstOptions } from '../../../kit/list/first-options.ts';

const SHOWN = 20;
/** As many as a page may have. */
const LARGEST = 200;

interface UserPickerProps {
  label: string;
  placeholder?: string;
  value: { id: string; username: string } | null;
  onChange(user: { id: string; username: string } | null): void;
  /** Ids to leave out. */
  without?: readonly string[];
  ref?: Ref<HTMLInputElement>;
}

export function UserPicker({
  label,
  placeholder = '',
  value,
  onChange,
  without = [],
  ref,
}: UserPickerProps) {
  const t = useMessages('users');
  const { first } = useMessages('filters');
  const [words, setWords] = useState('');
  const [q] = useDebouncedValue(words === value?.username ? '' : words.trim(), 200);
  // Those that are left out leave room for others.
  const limit = Math.min(SHOWN + 1 + without.length, LARGEST);
  const found = useAnswer(
    'users.list',
    { query: { q, limit } },
    { placeholderData: (previous) => previous },
  );
  const offered = [...(value ? [value] : []), ...(found.data ?? [])].filter(
    ({ id }) => !without.includes(id),
  );
  const names = new Map(offered.map(({ id, username }) => [id, username]));
  return (
    <Select
      ref={ref}
      label={label}
      placeholder={placeholder}
      searchable
      data={firstOptions(
        [...names].map(([id, username]) => ({ value: id, label: username })),
        SHOWN,
        first,
      )}
      value={value?.id ?? null}
      onChange={(id) => onChange(id === null ? null : { id, username: names.get(id) ?? '' })}
      searchValue={words}
      onSearchChange={setWords}
      nothingFoundMessage={found.isFetching ? '…' : t.noMatch}
    />
  );
}
