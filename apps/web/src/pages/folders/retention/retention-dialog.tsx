/** The dialog in which administrators set which tags of a folder are removed. */
import { NumberInput, Switch, TagsInput, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { TagRetention } from '@portcullis/contract';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
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

interface RetentionForm extends TagRetention {
  removes: boolean;
}

export function RetentionDialog({ folder, retention, onClose }: RetentionDialogProps) {
  const t = useMessages('retention');
  return (
    <FormDialog
      title={t.dialogTitle}
      operation="folders.updateFolder"
      first={{ removes: retention !== null, ...(retention ?? PROPOSED) }}
      isReady={({ removes, ...rule }) => !removes || isComplete(rule)}
      send={({ removes, ...rule }) =>
        call('folders.updateFolder', {
          params: { folder_id: folder },
          body: { retention: removes ? rule : null },
        })
      }
      done={() => t.saved}
      lists={[keyOf('folders.getRetention'), keyOf('folders.getFolder')]}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <Switch
            label={t.removes}
            description={t.removesHint}
            {...fields.check('removes')}
            data-autofocus
          />
          {fields.value.removes && <RuleFields folder={folder} {...fields} />}
        </>
      )}
    </FormDialog>
  );
}

function isComplete({ keep_newest, keep_days }: TagRetention): boolean {
  return keep_newest !== null || keep_days !== null;
}

function RuleFields({ folder, value, amount, tags }: Fields<RetentionForm> & { folder: string }) {
  const t = useMessages('retention');
  const { removes: _, ...rule } = value;
  return (
    <>
      <NumberInput
        label={t.keepNewest}
        description={t.keepNewestHint}
        {...amount('keep_newest', 'retention.keep_newest')}
      />
      <NumberInput
        label={t.keepDays}
        description={t.keepDaysHint}
        {...amount('keep_days', 'retention.keep_days')}
      />
      <TagsInput
        label={t.keep}
        description={t.keepHint}
        placeholder={rule.keep.length === 0 ? 'v*' : ''}
        {...tags('keep', 'retention.keep')}
        splitChars={[' ']}
      />
      {isComplete(rule) ? (
        <LivePreview folder={folder} rule={rule} />
      ) : (
        <Text>{t.incompleteRule}</Text>
      )}
      <Dimmed>{t.effect}</Dimmed>
    </>
  );
}

function LivePreview({ folder, rule }: { folder: string; rule: TagRetention }) {
  const [settled] = useDebouncedValue(rule, SETTLED_MS);
  const { data, error, isFetching } = usePreview(folder, settled);
  if (error) return <FaultAlert error={error} />;
  return (
    <PreviewView
      preview={data}
      isStale={isFetching || JSON.stringify(settled) !== JSON.stringify(rule)}
    />
  );
}
