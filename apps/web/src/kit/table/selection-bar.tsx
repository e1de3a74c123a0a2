/** The actions for the selected rows, at the lower edge of the window. */
import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useMessages, useWords } from '../../i18n/messages.ts';
import type { SelectedRows } from './selected-rows.ts';
import classes from './selection-bar.module.css';

interface BulkButton {
  label: string;
  icon: ComponentType<{ size?: number }>;
  danger?: boolean;
  /** It applies to none of the rows, or is not allowed. */
  disabled?: boolean;
  run(): void;
}

interface SelectionBarProps {
  /** The name of the list, where a page has several. */
  list?: string | undefined;
  selection: SelectedRows;
  /** How many match; null where no action takes rows that are not loaded. */
  total: number | null;
  buttons: readonly BulkButton[];
}

export function SelectionBar({ list, selection, total, buttons }: SelectionBarProps) {
  const [t, format] = useWords('bulk');
  const words = useMessages('table');
  const { ids, everything } = selection;
  const offersAll = total !== null && total > ids.length && !everything;
  return (
    <section
      className={classes.bar}
      aria-label={list === undefined ? t.bar : `${t.bar}${format.colon}${list}`}
    >
      <strong>
        {everything && total !== null
          ? t.everything(format.number(total))
          : words.selected(ids.length)}
      </strong>
      {offersAll && (
        <Button variant="subtle" size="compact-sm" onClick={selection.selectEverything}>
          {t.selectEverything(format.number(total))}
        </Button>
      )}
      <div className={classes.buttons}>
        {buttons.map(({ label, icon: Icon, danger = false, disabled = false, run }) => (
          <Button
            key={label}
            size="xs"
            variant="default"
            c={danger && !disabled ? 'var(--critical)' : undefined}
            leftSection={<Icon size={15} />}
            disabled={disabled}
            onClick={run}
          >
            {label}
          </Button>
        ))}
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={15} />}
          onClick={selection.clear}
        >
          {t.clear}
        </Button>
      </div>
    </section>
  );
}
