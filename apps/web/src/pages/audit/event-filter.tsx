/** A filter by event: a list of all events, searched by name and by code. */
import { type ComboboxItem, type ComboboxParsedItem, Select } from '@mantine/core';
import { useLanguage } from '../../i18n/language.tsx';
import { useMessages } from '../../i18n/messages.ts';
import classes from './audit.module.css';
import { eventChoices, isFound } from './event-choices.ts';

interface EventFilterProps {
  /** A code; empty for all events. */
  value: string;
  onChange(event: string): void;
}

export function EventFilter({ value, onChange }: EventFilterProps) {
  const t = useMessages('audit');
  const [language] = useLanguage();
  return (
    <Select
      aria-label={t.event}
      placeholder={t.anyEvent}
      nothingFoundMessage={t.noEvent}
      searchable
      clearable
      data={eventChoices(t.events, { language, chosen: value })}
      filter={({ options, search }) => options.filter((each) => isChoice(each, search))}
      renderOption={({ option }) => <Choice {...option} />}
      comboboxProps={{ width: 320, position: 'bottom-start' }}
      value={value === '' ? null : value}
      onChange={(event) => onChange(event ?? '')}
    />
  );
}

function isChoice(item: ComboboxParsedItem, search: string): boolean {
  return 'value' in item && isFound(item, search);
}

function Choice({ value, label }: ComboboxItem) {
  return (
    <span className={classes.choice}>
      {label}
      <code>{value}</code>
    </span>
  );
}
