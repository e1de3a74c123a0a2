/** Takes one image of a transfer, and shows which tags match it. */
import { ActionIcon, Checkbox, NumberInput, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { call } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { useFaultText } from '../../../kit/fault/fault.tsx';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import classes from '../transfers.module.css';
import {
  type BatchEntry,
  type BatchForm,
  batchBody,
  emptyBatch,
  hasDestination,
} from './batch-form.ts';
import { usePlanReason } from './plan-reason.ts';

interface EntryRowProps {
  entry: BatchEntry;
  ends: Pick<BatchForm, 'from' | 'to' | 'folder'>;
  fault: string | undefined;
  /** Null removes the line. */
  onEntry(key: number, change: Partial<BatchEntry> | null): void;
}

const PLAIN = { spellCheck: false, autoCapitalize: 'none', autoComplete: 'off' } as const;

export const EntryRow = memo(function EntryRow({ entry, ends, fault, onEntry }: EntryRowProps) {
  const [t, format] = useWords('batch');
  const onChange = (change: Partial<BatchEntry>) => onEntry(entry.key, change);
  return (
    <div className={classes.entry}>
      <TextInput
        className={classes.entryName ?? ''}
        aria-label={t.repository}
        placeholder="team/app"
        value={entry.repository}
        onChange={(event) => onChange({ repository: event.currentTarget.value })}
        error={fault}
        {...PLAIN}
      />
      <ChoiceSelect
        aria-label={t.matchLabel}
        names={t.match}
        value={entry.match}
        onChange={(match) => onChange({ match })}
      />
      <TextInput
        className={(entry.match === 'tag' && classes.entryTag) || ''}
        aria-label={t.textLabel}
        placeholder={t.placeholder[entry.match]}
        value={entry.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
        {...PLAIN}
      />
      {entry.match !== 'tag' && (
        <NumberInput
          aria-label={t.newest}
          placeholder={`${t.newest}${format.colon}${t.newestHint}`}
          prefix={`${t.newest}${format.colon}`}
          value={entry.newest ?? ''}
          onChange={(newest) => onChange({ newest: typeof newest === 'number' ? newest : null })}
          min={1}
          max={1000}
        />
      )}
      <TextInput
        className={classes.entryDest ?? ''}
        aria-label={t.destName}
        placeholder={t.destName}
        value={entry.destName}
        onChange={(event) => onChange({ destName: event.currentTarget.value })}
        {...PLAIN}
      />
      <Tooltip label={t.removeLine}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={t.removeLine}
          onClick={() => onEntry(entry.key, null)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
      {entry.match !== 'tag' && <Matching entry={entry} ends={ends} onChange={onChange} />}
    </div>
  );
});

const PATIENCE_MS = 600;

function useMatching(entry: BatchEntry, ends: EntryRowProps['ends']) {
  const base = emptyBatch({ ...ends, referrers: 'none', severities: [], entries: [entry] });
  const [body] = useDebouncedValue(JSON.stringify(batchBody(base)), PATIENCE_MS);
  return useQuery({
    queryKey: ['transfers.planTransfer', body],
    queryFn: () => call('transfers.planTransfer', { body: JSON.parse(body) }),
    enabled: hasDestination(ends) && entry.repository.trim() !== '' && entry.text.trim() !== '',
    staleTime: 60_000,
    retry: false,
  });
}

interface MatchingProps extends Pick<EntryRowProps, 'entry' | 'ends'> {
  onChange(change: Partial<BatchEntry>): void;
}

/** The tags that match the pattern, as planned by the server. */
function Matching({ entry, ends, onChange }: MatchingProps) {
  const t = useMessages('batch');
  const text = useFaultText();
  const reasonOf = usePlanReason();
  const plan = useMatching(entry, ends);
  const tags = plan.data?.items.flatMap(({ tag }) => tag ?? []) ?? [];
  const failed = plan.data?.items.find(({ tag }) => tag === null);
  return (
    <div className={classes.matching}>
      {entry.match === 'semver' && (
        <Checkbox
          size="xs"
          label={t.prerelease}
          checked={entry.prerelease}
          onChange={(event) => onChange({ prerelease: event.currentTarget.checked })}
        />
      )}
      <span aria-live="polite">
        {plan.isFetching && t.looking}
        {plan.isError && text(plan.error)}
        {plan.data && !plan.isFetching && ((failed && reasonOf(failed)) ?? <Found tags={tags} />)}
      </span>
    </div>
  );
}

const SHOWN = 6;

function Found({ tags }: { tags: string[] }) {
  const [t, format] = useWords('batch');
  const rest = tags.length - SHOWN;
  return (
    <span title={tags.join(', ')}>
      <strong>{t.matching(tags.length)}</strong>
      {tags.length > 0 &&
        `${format.colon}${tags.slice(0, SHOWN).join(', ')}${rest > 0 ? ` +${rest}` : ''}`}
    </span>
  );
}
