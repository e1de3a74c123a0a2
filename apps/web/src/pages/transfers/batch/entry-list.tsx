/** Lists the images of a transfer that is being composed. */
import { Button, Group, Textarea, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClipboardText, IconPackages, IconPlus } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { ActButton } from '../../../kit/action/act-button.tsx';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { useVirtualList } from '../../../kit/virtual/use-virtual-list.ts';
import classes from '../transfers.module.css';
import {
  type BatchEntry,
  type BatchFieldsProps,
  changedEntries,
  filled,
  newEntry,
  readLines,
} from './batch-form.ts';
import { EntryRow } from './entry-row.tsx';
import { PickDialog } from './pick-dialog.tsx';

export function EntryList(fields: BatchFieldsProps) {
  const t = useMessages('batch');
  const [pasting, paste] = useDisclosure();
  const [picking, pick] = useDisclosure();
  const { value: form, set } = fields;
  const sent = filled(form.entries);
  const add = (entries: BatchEntry[]) => set({ entries: [...sent, ...entries] });
  return (
    <section>
      <Title order={2}>{t.images}</Title>
      <Dimmed mb="xs">{t.imagesHint}</Dimmed>
      {form.entries.length === 0 ? (
        <div className={classes.noLines}>{form.from === '' ? t.emptyHubLines : t.emptyLines}</div>
      ) : (
        <Entries {...fields} />
      )}
      <Group gap="xs" mt="xs" className={classes.lineButtons ?? ''}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => set({ entries: [...form.entries, newEntry()] })}
        >
          {t.addLine}
        </Button>
        <ActButton icon={IconClipboardText} onClick={paste.open}>
          {t.paste}
        </ActButton>
        {form.from !== '' && (
          <ActButton icon={IconPackages} onClick={pick.open}>
            {t.pick}
          </ActButton>
        )}
      </Group>
      <PasteDialog opened={pasting} onClose={paste.close} onAdd={add} />
      <PickDialog
        opened={picking}
        onClose={pick.close}
        registryId={form.from}
        onAdd={(names) =>
          add(names.map((repository) => newEntry({ repository, match: 'glob', text: '*' })))
        }
      />
    </section>
  );
}

const LINE_HEIGHT = 57;

function Entries({ value, faultAt, onBatch }: BatchFieldsProps) {
  const { entries, from, to, folder } = value;
  const ends = useMemo(() => ({ from, to, folder }), [from, to, folder]);
  const onEntry = useCallback(
    (key: number, change: Partial<BatchEntry> | null) =>
      onBatch((before) => ({ entries: changedEntries(before.entries, key, change) })),
    [onBatch],
  );
  const sent = filled(entries);
  const [held, hold] = useState(-1);
  const { list, shown, total, measure } = useVirtualList<HTMLOListElement>({
    count: entries.length,
    height: LINE_HEIGHT,
    keyOf: (index) => entries[index]?.key ?? index,
    kept: held,
  });
  return (
    <ol
      ref={list}
      className={classes.entries}
      style={{ height: total }}
      onFocus={({ target }) =>
        hold(Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? held))
      }
    >
      {shown.map(({ index, key, start }) => {
        const entry = entries[index];
        return (
          entry && (
            <li
              key={key}
              ref={measure}
              data-index={index}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <EntryRow
                entry={entry}
                ends={ends}
                fault={faultAt(`images.${sent.indexOf(entry)}`)}
                onEntry={onEntry}
              />
            </li>
          )
        );
      })}
    </ol>
  );
}

interface PasteDialogProps {
  opened: boolean;
  onClose(): void;
  onAdd(entries: BatchEntry[]): void;
}

/** Adds the lines of a pasted text to a batch. */
function PasteDialog({ opened, onClose, onAdd }: PasteDialogProps) {
  const t = useMessages('batch');
  return (
    <FormDialog
      opened={opened}
      title={t.pasteTitle}
      size="lg"
      first={{ lines: '' }}
      isReady={({ lines }) => readLines(lines).length > 0}
      send={async ({ lines }) => onAdd(readLines(lines))}
      action={({ lines }) => t.pasteAction(readLines(lines).length)}
      onClose={onClose}
    >
      {({ text }) => (
        <>
          <Dimmed>{t.pasteHint}</Dimmed>
          <Textarea
            aria-label={t.pasteLabel}
            placeholder={'team/app:1.4.2\nteam/web:1.*\nteam/api:^2.1'}
            {...text('lines')}
            minRows={8}
            maxRows={18}
            autosize
            spellCheck={false}
            data-autofocus
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
        </>
      )}
    </FormDialog>
  );
}
