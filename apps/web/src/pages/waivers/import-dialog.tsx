/** Imports an OpenVEX document, and lists the statements that were skipped. */
import { Button, FileInput, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import type { VexImportResult } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask, call, keyOf } from '../../api/api.ts';
import type { RequestFor } from '../../api/client.ts';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FormActions } from '../../kit/dialog/form-actions.tsx';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../kit/form/asked-close.tsx';
import { useAccount } from '../../session/account.ts';
import { isReviewer } from './reviewer.ts';
import classes from './waivers.module.css';

const MAX_BYTES = 1_048_576;
const EVERY_FOLDER = '';

export function ImportDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const t = useMessages('waivers');
  return (
    <AskedModal opened={opened} onClose={onClose} title={t.importTitle} size="lg">
      {(close) => <Import onClose={onClose} onCancel={close} />}
    </AskedModal>
  );
}

function Import({ onClose, onCancel }: { onClose(): void; onCancel(): void }) {
  const [result, setResult] = useState<VexImportResult | null>(null);
  if (result !== null) return <ImportResult result={result} onClose={onClose} />;
  return <ImportForm onCancel={onCancel} onDone={setResult} />;
}

interface Order {
  document: RequestFor<'waivers.importVex'>['body'];
  folder: string;
  days: number;
}

function sendVex({ document, folder, days }: Order) {
  const query = { days, ...(folder !== EVERY_FOLDER && { folder }) };
  return call('waivers.importVex', { query, body: document });
}

interface ImportFormProps {
  onCancel(): void;
  onDone(result: VexImportResult): void;
}

function ImportForm({ onCancel, onDone }: ImportFormProps) {
  const t = useMessages('waivers');
  const queries = useQueryClient();
  const reviews = isReviewer(useAccount());
  const { data: pushable = [] } = useQuery(ask('folders.listPushable'));
  const folders = [
    ...(reviews ? [{ value: EVERY_FOLDER, label: t.allFolders }] : []),
    ...pushable
      .filter((name) => name !== ROOT_FOLDER)
      .map((name) => ({ value: name, label: name })),
  ];
  const [file, setFile] = useState<File | null>(null);
  const [unread, setUnread] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [days, setDays] = useState(DEFAULT_DAYS);
  useChanged({ file: file?.name, chosen, days });
  const folder = chosen ?? folders[0]?.value ?? null;
  const send = useMutation({
    mutationFn: sendVex,
    onSuccess(result) {
      void queries.invalidateQueries({ queryKey: keyOf('waivers.list') });
      onDone(result);
    },
  });

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (file === null || folder === null) return;
    if (file.size > MAX_BYTES) return setUnread(t.fileTooLarge);
    try {
      const document = JSON.parse(await file.text());
      setUnread(null);
      send.mutate({ document, folder, days });
    } catch {
      setUnread(t.notJson);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <Text size="sm">{t.importText}</Text>
        <FileInput
          label={t.file}
          description={t.fileHint}
          placeholder={t.chooseFile}
          value={file}
          onChange={(next) => {
            setFile(next);
            setUnread(null);
          }}
          error={unread}
          accept="application/json,.json"
          required
        />
        <Group grow align="flex-start">
          <Select
            label={t.folder}
            data={folders}
            value={folder}
            onChange={setChosen}
            allowDeselect={false}
            required
          />
          <NumberInput
            label={t.days}
            value={days}
            onChange={(value) => setDays(Number(value))}
            min={1}
            max={MOST_DAYS}
            allowDecimal={false}
            required
          />
        </Group>
        <FaultAlert error={send.error} />
        <FormActions
          action={t.importSubmit}
          pending={send.isPending}
          disabled={file === null || folder === null}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

const DEFAULT_DAYS = 90;
const MOST_DAYS = 365;

function ImportResult({ result, onClose }: { result: VexImportResult; onClose(): void }) {
  const t = useMessages('waivers');
  const format = useFormat();
  const { waivers, skipped } = result;
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
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t.close}
        </Button>
      </Group>
    </Stack>
  );
}

/** A statement with several products may be skipped more than once for the same reason. */
function onceEach(skipped: VexImportResult['skipped']): VexImportResult['skipped'] {
  return [...new Map(skipped.map((each) => [`${each.statement} ${each.reason}`, each])).values()];
}
