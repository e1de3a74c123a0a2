/** Chooses repositories of the source, of which a batch copies all tags. */
import { Checkbox, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { ListSkeleton } from '../../../kit/layout/query-view.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import classes from '../transfers.module.css';

const NOTHING = { chosen: [] as string[] };

interface PickDialogProps {
  opened: boolean;
  onClose(): void;
  registryId: string;
  onAdd(repositories: string[]): void;
}

export function PickDialog({ opened, onClose, registryId, onAdd }: PickDialogProps) {
  const t = useMessages('batch');
  const [search, setSearch] = useState('');
  return (
    <FormDialog
      opened={opened}
      title={t.pickTitle}
      size="lg"
      first={NOTHING}
      isReady={({ chosen }) => chosen.length > 0}
      send={async ({ chosen }) => onAdd(chosen)}
      action={({ chosen }) => t.pickAction(chosen.length)}
      onClose={() => {
        setSearch('');
        onClose();
      }}
    >
      {({ value: { chosen }, set }) => (
        <>
          <SearchField data-autofocus label={t.pickSearch} value={search} onChange={setSearch} />
          <Repositories
            registryId={registryId}
            search={search}
            chosen={chosen}
            onChange={(names) => set({ chosen: names })}
          />
        </>
      )}
    </FormDialog>
  );
}

interface RepositoriesProps {
  registryId: string;
  search: string;
  chosen: string[];
  onChange(chosen: string[]): void;
}

function Repositories({ registryId, search, chosen, onChange }: RepositoriesProps) {
  const t = useMessages('batch');
  const { first } = useMessages('filters');
  const [words] = useDebouncedValue(search.trim(), 250);
  const found = useAnswer(
    'images.listImages',
    {
      params: { registry_id: registryId },
      query: { search: words, page_size: 100 },
    },
    { placeholderData: keepPreviousData },
  );
  if (found.isError) return <FaultAlert error={found.error} />;
  if (!found.data) return <ListSkeleton rows={5} height={30} />;
  const names = found.data.items.map(({ name }) => name);
  const hidden = chosen.filter((name) => !names.includes(name));
  if (names.length === 0) return <Text c="dimmed">{t.pickNone}</Text>;
  return (
    <Checkbox.Group
      value={chosen}
      onChange={(now) => onChange([...hidden, ...now.filter((name) => !hidden.includes(name))])}
    >
      <div className={classes.pick}>
        {names.map((name) => (
          <Checkbox key={name} value={name} label={name} />
        ))}
      </div>
      {found.data.total_pages > 1 && <Dimmed mt="xs">{first(names.length)}</Dimmed>}
    </Checkbox.Group>
  );
}
