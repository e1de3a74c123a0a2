/** The dialog in which administrators set which tags of a folder are removed. */
import { NumberInput, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { TagRetention } from '@portcullis/contract';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { EntryActions } from '../../../kit/form/entry-actions.tsx';
import { useEntrySave } from '../../../kit/form/use-entry-save.ts';
import { PreviewView } from './preview-view.tsx';
import { usePreview } from './use-preview.ts';

interface RetentionDialogProps {
  folder: string;
  retention: TagRetention | null;
  onClose(): void;
}

/** What the fields propose for a folder without a rule. */
const PROPOSED: TagRetention = { keep_newest: 10, keep_days: 30, keep: [] };
const SETTLED_MS = 400;

export function RetentionDialog(props: RetentionDialogProps) {
  const t = useMessages('retention');
  return (
    <AskedModal opened onClose={props.onClose} title={t.dialogTitle}>
      {(close) => <RetentionForm {...props} onCancel={close} />}
    </AskedModal>
  );
}

interface RetentionFormProps extends RetentionDialogProps {
  onCancel(): void;
}

function RetentionForm({ folder, retention, onClose, onCancel }: RetentionFormProps) {
  const t = useMessages('retention');
  const [removes, setRemoves] = useState(retention !== null);
  const [rule, setRule] = useState(retention ?? PROPOSED);
  useChanged({ removes, rule });
  const save = useSave(folder, onClose);
  const isComplete = rule.keep_newest !== null || rule.keep_days !== null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(removes ? rule : null);
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <FaultAlert error={save.error} />
        <Switch
          label={t.removes}
          description={t.removesHint}
          checked={removes}
          data-autofocus
          onChange={(event) => setRemoves(event.currentTarget.checked)}
        />
        {removes && (
          <>
            <RuleFields rule={rule} error={save.error} set={setRule} />
            {isComplete ? (
              <LivePreview folder={folder} rule={rule} />
            ) : (
              <Text>{t.incompleteRule}</Text>
            )}
            <Text size="sm" c="dimmed">
              {t.effect}
            </Text>
          </>
        )}
        <EntryActions
          isNew={false}
          create=""
          pending={save.isPending}
          disabled={removes && !isComplete}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

interface RuleFieldsProps {
  rule: TagRetention;
  error: unknown;
  set(rule: TagRetention): void;
}

function RuleFields({ rule, error, set }: RuleFieldsProps) {
  const t = useMessages('retention');
  const faults = isProblem(error) ? error.fields : {};
  const glob = Object.keys(faults).find((path) => path.startsWith('retention.keep.'));
  return (
    <>
      <NumberInput
        label={t.keepNewest}
        description={t.keepNewestHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={rule.keep_newest ?? ''}
        min={1}
        max={100_000}
        allowDecimal={false}
        onChange={(value) => set({ ...rule, keep_newest: numberOf(value) })}
        error={faults['retention.keep_newest']}
      />
      <NumberInput
        label={t.keepDays}
        description={t.keepDaysHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={rule.keep_days ?? ''}
        min={1}
        max={36_500}
        allowDecimal={false}
        onChange={(value) => set({ ...rule, keep_days: numberOf(value) })}
        error={faults['retention.keep_days']}
      />
      <TagsInput
        label={t.keep}
        description={t.keepHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={rule.keep.length === 0 ? 'v*' : ''}
        value={rule.keep}
        onChange={(keep) => set({ ...rule, keep })}
        maxTags={20}
        splitChars={[' ']}
        acceptValueOnBlur
        error={glob === undefined ? undefined : faults[glob]}
      />
    </>
  );
}

function numberOf(value: string | number): number | null {
  return typeof value === 'number' && value >= 1 ? value : null;
}

function LivePreview({ folder, rule }: { folder: string; rule: TagRetention }) {
  const [settled] = useDebouncedValue(rule, SETTLED_MS);
  const { data, error, isFetching } = usePreview(folder, settled);
  if (error) return <FaultAlert error={error} />;
  return <PreviewView preview={data} isStale={isFetching || settled !== rule} />;
}

function useSave(folder: string, onDone: () => void) {
  const t = useMessages('retention');
  return useEntrySave({
    save: (retention: TagRetention | null) =>
      call('folders.updateFolder', { params: { folder_id: folder }, body: { retention } }),
    done: () => t.saved,
    lists: [keyOf('folders.getRetention'), keyOf('folders.getFolder')],
    onDone,
  });
}
