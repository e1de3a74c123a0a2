import { Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClipboardText, IconPackages, IconPlus } from '@tabler/icons-react';
import type { BatchFieldsProps } from './batch-fields.tsx';
import { type Entry, filled, newEntry } from './batch-form.ts';
import { useBatchWords } from './batch-words.ts';
import { EntryRow } from './entry-row.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import { PickDialog } from './pick-dialog.tsx';
import classes from './transfers.module.css';

export function EntryList({ form, set, faults }: BatchFieldsProps) {
  const t = useBatchWords();
  const [pasting, paste] = useDisclosure();
  const [picking, pick] = useDisclosure();
  const sent = filled(form.entries);
  const add = (entries: Entry[]) => set({ entries: [...sent, ...entries] });
  return (
    <section>
      <Title order={2}>{t.images}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t.imagesHint}
      </Text>
      {form.entries.length === 0 ? (
        <div className={classes.noLines}>{t.emptyLines}</div>
      ) : (
        <ol className={classes.entries}>
          {form.entries.map((entry) => (
            <EntryRow
              key={entry.key}
              entry={entry}
              form={form}
              fault={faultOf(faults, sent.indexOf(entry))}
              onChange={(change) => set({ entries: replaced(form.entries, entry, change) })}
              onRemove={() => set({ entries: form.entries.filter((each) => each !== entry) })}
            />
          ))}
        </ol>
      )}
      <Group gap="xs" mt="xs">
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => set({ entries: [...form.entries, newEntry()] })}
        >
          {t.addLine}
        </Button>
        <Button variant="default" leftSection={<IconClipboardText size={16} />} onClick={paste.open}>
          {t.paste}
        </Button>
        {form.from !== '' && (
          <Button variant="default" leftSection={<IconPackages size={16} />} onClick={pick.open}>
            {t.pick}
          </Button>
        )}
      </Group>
      <PasteDialog opened={pasting} onClose={paste.close} onAdd={add} />
      <PickDialog
        opened={picking}
        onClose={pick.close}
        registryId={form.from}
        onAdd={(names) => add(names.map((repository) => newEntry({ repository, match: 'glob', text: '*' })))}
      />
    </section>
  );
}

function replaced(entries: Entry[], entry: Entry, change: Partial<Entry>): Entry[] {
  return entries.map((each) => (each === entry ? { ...each, ...change } : each));
}

function faultOf(faults: Readonly<Record<string, string>>, index: number): string | undefined {
  if (index < 0) return undefined;
  return Object.entries(faults).find(
    ([path]) => path === `images.${index}` || path.startsWith(`images.${index}.`),
  )?.[1];
}
