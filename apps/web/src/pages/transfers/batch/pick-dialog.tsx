import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { ListSkeleton } from '../../../kit/table/list-skeleton.tsx';
import classes from '../transfers.module.css';

interface PickDialogProps {
  opened: boolean;
  onClose(): void;
  registryId: string;
  onAdd(repositories: string[]): void;
}

export function PickDialog({ opened, onClose, ...props }: PickDialogProps) {
  const t = useMessages('batch');
  return (
    <AskedModal opened={opened} onClose={onClose} title={t.pickTitle} size="lg">
      {(close) => <PickForm {...props} onClose={onClose} onCancel={close} />}
    </AskedModal>
  );
}

interface PickFormProps extends Omit<PickDialogProps, 'opened'> {
  onCancel(): void;
}

function PickForm({ registryId, onAdd, onClose, onCancel }: PickFormProps) {
  const t = useMessages('batch');
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const forget = useChanged(chosen);
  return (
    <Stack>
      <SearchField data-autofocus label={t.pickSearch} value={search} onChange={setSearch} />
      <Repositories registryId={registryId} search={search} chosen={chosen} onChange={setChosen} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {t.cancel}
        </Button>
        <Button
          disabled={chosen.length === 0}
          onClick={() => {
            forget();
            onAdd(chosen);
            onClose();
          }}
        >
          {t.pickAction(chosen.length)}
        </Button>
      </Group>
    </Stack>
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
  const found = useQuery({
    ...ask('images.listImages', {
      params: { registry_id: registryId },
      query: { search: words, page_size: 100 },
    }),
    placeholderData: keepPreviousData,
  });
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
      {found.data.total_pages > 1 && (
        <Text size="sm" c="dimmed" mt="xs">
          {first(names.length)}
        </Text>
      )}
    </Checkbox.Group>
  );
}
