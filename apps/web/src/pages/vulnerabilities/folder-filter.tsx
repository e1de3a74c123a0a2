/** A filter by one of the folders that the account may pull from, where there are several. */
import { Select } from '@mantine/core';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';

/** From this number on, folders are found by typing. */
const MANY = 8;

interface FolderFilterProps {
  /** Null: of all folders. */
  value: string | null;
  onChange(folder: string | null): void;
}

export function FolderFilter({ value, onChange }: FolderFilterProps) {
  const t = useMessages('vulnerabilities');
  const pullable = useQuery(ask('folders.listPullable')).data ?? [];
  // An address may name a folder that this account may not read: nothing matches it.
  const folders = value === null || pullable.includes(value) ? pullable : [...pullable, value];
  if (folders.length < 2 && value === null) return null;
  return (
    <Select
      aria-label={t.folder}
      placeholder={t.everyFolder}
      data={folders.map((name) => ({
        value: name,
        label: name === ROOT_FOLDER ? t.rootFolder : name,
      }))}
      value={value}
      searchable={folders.length > MANY}
      clearable
      clearButtonProps={{ 'aria-label': t.everyFolder }}
      onChange={onChange}
    />
  );
}
