/** Imports an OpenVEX document, and lists the statements that were skipped. */
import { FileInput, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import type { VexImportResult } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { call, keyOf, useAnswer } from '../../api/api.ts';
import type { RequestFor } from '../../api/client.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { FormDialog } from '../../kit/dialog/form-dialog.tsx';
import { useAccount } from '../../session/account.ts';
import { isReviewer } from './reviewer.ts';
import classes from './waivers.module.css';

const MAX_BYTES = 1_048_576;
const MOST_DAYS = 365;
const EVERY_FOLDER = '';

interface ImportForm {
  file: File | null;
  /** Null: the first one of the list. */
  folder: string | null;
  days: number;
}

const NEW_IMPORT: ImportForm = { file: null, folder: null, days: 90 };

export function ImportDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const t = useMessages('waivers');
  const documentIn = useDocument();
  const folders = useFolders();
  const folderOf = ({ folder }: ImportForm) => folder ?? folders[0]?.value ?? null;
  return (
    <FormDialog
      opened={opened}
      title={t.importTitle}
      size="lg"
      first={NEW_IMPORT}
      isReady={(form) => form.file !== null && folderOf(form) !== null}
      send={async (form) => {
        const folder = folderOf(form) || undefined;
        const body = await documentIn(form.file);
        return call('waivers.importVex', { query: { days: form.days, folder }, body });
      }}
      lists={[keyOf('waivers.list')]}
      action={t.importSubmit}
      result={{ view: (result) => <ImportResult {...result} /> }}
      onClose={onClose}
    >
      {({ value, number, pick }) => (
        <>
          <Text size="sm">{t.importText}</Text>
          <FileInput
            label={t.file}
            description={t.fileHint}
            placeholder={t.chooseFile}
            {...pick('file')}
            accept="application/json,.json"
            required
          />
          <Group grow align="flex-start">
            <Select
              label={t.folder}
              data={folders}
              {...pick('folder')}
              value={folderOf(value)}
              allowDeselect={false}
              required
            />
            <NumberInput label={t.days} {...number('days')} min={1} max={MOST_DAYS} required />
          </Group>
        </>
      )}
    </FormDialog>
  );
}

function useFolders(): { value: string; label: string }[] {
  const t = useMessages('waivers');
  const reviews = isReviewer(useAccount());
  const { data: askable = [] } = useAnswer('folders.listAskable');
  const names = askable.filter((name) => name !== ROOT_FOLDER);
  return [
    ...(reviews ? [{ value: EVERY_FOLDER, label: t.allFolders }] : []),
    ...names.map((name) => ({ value: name, label: name })),
  ];
}

type VexDocument = RequestFor<'waivers.importVex'>['body'];

/** Reads the document of a file. What is wrong with it is a fault of its field. */
function useDocument(): (file: File | null) => Promise<VexDocument> {
  const t = useMessages('waivers');
  const fault = (text: string) =>
    new ProblemError({ status: 422, code: 'VALIDATION_FAILED' }, { fields: { file: text } });
  return async (file) => {
    if (file !== null && file.size > MAX_BYTES) throw fault(t.fileTooLarge);
    try {
      return JSON.parse((await file?.text()) ?? '');
    } catch {
      throw fault(t.notJson);
    }
  };
}

function ImportResult({ waivers, skipped }: VexImportResult) {
  const [t, format] = useWords('waivers');
  return (
    <Stack>
      <Text fw={580} role="status">
        {t.imported(waivers.length)}
      </Text>
      {skipped.length > 0 && (
        <div>
          <Text size="sm">{t.skipped(skipped.length)}</Text>
          <ul className={classes.skipped}>
            {onceEach(skipped).map(({ statement, reason }) => (
              <li key={`${statement} ${reason}`}>
                {t.statement(format.number(statement + 1))}
                {format.colon}
                {t.skipReasons[reason]}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  );
}

/** A statement with several products may be skipped more than once for the same reason. */
function onceEach(skipped: VexImportResult['skipped']): VexImportResult['skipped'] {
  return [...new Map(skipped.map((each) => [`${each.statement} ${each.reason}`, each])).values()];
}
